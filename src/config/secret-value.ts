/** Recognises pasted keys by their form, so that they are rejected and never printed. */

const KNOWN_PREFIX =
  /^(?:(?:sk|pk|rk)[-_]|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|AIza|AKIA|ASIA|gsk_|hf_|npm_|xai-|pplx-|r8_|ya29\.|eyJ[\w-]+\.)[\w.+/=-]{8,}|^bearer\s+\S{8,}|-----BEGIN /i

export function hasKeyPrefix(value: string): boolean {
  return KNOWN_PREFIX.test(value.trim())
}

/** Use only for values that should be variable names: a long path looks random too. */
export function looksLikeKey(value: string): boolean {
  const text = value.trim()
  if (hasKeyPrefix(text)) return true
  const digits = text.replace(/\D/g, '').length
  if (text.length < 16 || digits < 2) return false
  const mixedCase = /[a-z]/.test(text) && /[A-Z]/.test(text)
  return mixedCase || !text.includes('_') || (text.length >= 24 && digits >= 4 && entropy(text) > 3.6)
}

/** People paste secrets into these keys, so their values are never printed. */
export function mayHoldSecret(keyPath: string): boolean {
  return /(?:^|\.)(?:api_key_env|base_url)$/.test(keyPath)
}

function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
