/** Looks for many patterns in bytes in one pass. ASCII letters count as equal in both cases, unless a pattern is exact. */
import { type Pattern, SHORTEST_PATTERN } from './encodings.ts'

export interface ByteSearch {
  /** Feeds the next piece of a stream; begins anew after `reset`. */
  feed(piece: Uint8Array): void
  reset(): void
  /** Of the stream so far: the numbers of the groups of which a pattern was found. */
  readonly found: ReadonlySet<number>
}

interface Entry {
  readonly bytes: Uint8Array
  readonly exact: boolean
  readonly group: number
}

const FOLD = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte))
const BITS = 20

function slotOf(head: number): number {
  return Math.imul(head, 0x9e3779b1) >>> (32 - BITS)
}

/** `groups[i]` are the patterns of the i-th thing that is looked for. */
export function byteSearch(groups: readonly (readonly Pattern[])[]): ByteSearch {
  const heads = new Map<number, Entry[]>()
  const filter = new Uint8Array(1 << BITS)
  let longest = 0
  for (const [group, patterns] of groups.entries()) {
    for (const { bytes, exact } of patterns) {
      const head = [0, 1, 2, 3].reduce((sum, i) => (sum << 8) | (FOLD[bytes[i] as number] as number) | 0, 0)
      heads.set(head, [...(heads.get(head) ?? []), { bytes: exact ? bytes : bytes.map((byte) => FOLD[byte] as number), exact, group }])
      filter[slotOf(head)] = 1
      longest = Math.max(longest, bytes.length)
    }
  }
  let found = new Set<number>()
  let rest: Uint8Array = new Uint8Array(0)

  function look(bytes: Uint8Array): void {
    let head = 0
    for (let i = 0; i < bytes.length; i += 1) {
      head = (head << 8) | (FOLD[bytes[i] as number] as number) | 0
      if (i < SHORTEST_PATTERN - 1 || filter[slotOf(head)] === 0) continue
      for (const entry of heads.get(head) ?? []) {
        if (!found.has(entry.group) && isAt(bytes, i - SHORTEST_PATTERN + 1, entry)) found.add(entry.group)
      }
    }
  }

  return {
    get found() {
      return found
    },
    reset() {
      found = new Set()
      rest = new Uint8Array(0)
    },
    feed(piece) {
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
      look(bytes)
      // What begins at the end of this piece may end in the next.
      rest = Uint8Array.from(bytes.subarray(Math.max(0, bytes.length - longest + 1)))
    },
  }
}

function isAt(bytes: Uint8Array, from: number, { bytes: wanted, exact }: Entry): boolean {
  if (from + wanted.length > bytes.length) return false
  for (let i = 0; i < wanted.length; i += 1) {
    const byte = bytes[from + i] as number
    if ((exact ? byte : FOLD[byte]) !== wanted[i]) return false
  }
  return true
}
