/** An unchanged conversation costs no read. */
import { shortHash } from '../../../core/hash.ts'

/** Collision-safe for some ten thousand names. */
const NAME = 16
const SIGN = 12

export interface Signatures {
  isKnown(name: string, signature: string): boolean
  note(name: string, signature: string): void
  carry(): unknown
}

export function signatures(carry: unknown): Signatures {
  const given = typeof carry === 'object' && carry !== null && 'seen' in carry ? carry.seen : ''
  const known = new Map<string, string>()
  for (const [, name = '', sign = ''] of String(given).matchAll(/([0-9a-f]{16})([0-9a-f]{12})/g)) known.set(name, sign)
  // Append-only: rebuilding it per checkpoint would dominate the work.
  let seen = [...known].map(([name, sign]) => name + sign).join('')
  return {
    isKnown: (name, signature) => known.get(shortHash(NAME, name)) === shortHash(SIGN, signature),
    note(name, signature) {
      const key = shortHash(NAME, name)
      const sign = shortHash(SIGN, signature)
      if (known.get(key) === sign) return
      known.set(key, sign)
      seen += key + sign
    },
    carry: () => ({ seen }),
  }
}
