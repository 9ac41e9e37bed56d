import { createHash, hash as hashOnce } from 'node:crypto'

/** Avoids copies of texts of megabytes. */
const LONG = 1 << 20

export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return hashOnce('sha256', only)
  if (parts.every((part) => typeof part === 'string' && part.length < LONG)) return hashOnce('sha256', parts.join(''))
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

export function shortHash(length: number, ...parts: readonly (string | Uint8Array)[]): string {
  return sha256(...parts).slice(0, length)
}
