/** What the last read of a database knew of each conversation: a few characters each, so that an unchanged one costs no bubble. */
import { shortHash } from '../../../core/hash.ts'

/** Long enough that two of some ten thousand names do not meet. */
const NAME = 16
const SIGN = 12

export interface Signatures {
  isKnown(name: string, signature: string): boolean
  note(name: string, signature: string): void
  /** A value of its own: what is noted later does not change it. */
  carry(): unknown
}

/** A carry that is not ours, or of another version, counts as none. */
export function signatures(carry: unknown): Signatures {
  const given = typeof carry === 'object' && carry !== null && 'seen' in carry ? carry.seen : ''
  const known = new Map<string, string>()
  for (const [, name = '', sign = ''] of String(given).matchAll(/([0-9a-f]{16})([0-9a-f]{12})/g)) known.set(name, sign)
  // Appended to, never rebuilt: a copy for each checkpoint of a large database would be most of the work.
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
