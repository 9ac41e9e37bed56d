/** Where a name may end before its separator, and a quick look at its letters. */

const tableOf = (isIn: (character: string) => boolean) =>
  Uint8Array.from({ length: 128 }, (_, code) => (isIn(String.fromCharCode(code)) ? 1 : 0))
const NAME_CODES = tableOf((character) => /[\w.$-]/.test(character))
export const LONGEST_NAME = 64

export const isNameCode = (code: number) => code < 128 && NAME_CODES[code] === 1

const BETWEEN = tableOf((character) => '\t\v\f\r ?!]"\'`\\*'.includes(character))

/** May stand between a name and its separator: spaces of the same line, closing quotes and brackets, marks of optional fields. */
export function isBetween(code: number): boolean {
  if (code < 128) return BETWEEN[code] === 1
  return /\s/.test(String.fromCharCode(code))
}

const LETTERS = Int32Array.from({ length: 128 }, (_, code) => (/[A-Za-z]/.test(String.fromCharCode(code)) ? 1 << (code & 31) : 0))
/** The letters of a word as bits. */
const lettersOf = (word: string) => [...word].reduce((bits, letter) => bits | (LETTERS[letter.charCodeAt(0)] as number), 0)
/** The letters of what `secretName` and its callers look for; a name without all letters of one of them names nothing. */
const NAMING = Int32Array.from(
  `pw pas pat psk key token wachtword contrase senha sesion sid sig secrt cred auth sonarlogin bundle cookie default str bytes any`
    .split(' ')
    .map(lettersOf),
)

/** False for most separators: the name before them has not the letters of a secret's. */
export function mayNameSecret(text: string, separator: number): boolean {
  let end = separator
  const floor = Math.max(0, end - 8)
  for (; end > floor; end--) {
    const code = text.charCodeAt(end - 1)
    if (code > 127) return true
    if (BETWEEN[code] === 0) break
  }
  // Prompts, sizes of arrays, entities.
  if (text.charCodeAt(separator - 1) === 0x5d || text.charCodeAt(end) === 0x5d || text.charCodeAt(end - 1) === 0x3b) return true
  let letters = 0
  let start = end
  for (const limit = Math.max(0, end - LONGEST_NAME); start > limit; start--) {
    const code = text.charCodeAt(start - 1)
    if (!isNameCode(code)) break
    letters |= LETTERS[code] as number
  }
  for (let at = start; at > 0 && at > separator - 5; at--) if (text.charCodeAt(at - 1) > 127) return true
  for (let i = 0; i < NAMING.length; i++) if ((letters & (NAMING[i] as number)) === NAMING[i]) return true
  return false
}
