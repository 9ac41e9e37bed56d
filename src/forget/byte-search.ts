/**
 * Looks for many patterns in bytes in one pass. ASCII letters count as equal in both cases, unless a pattern is exact: such are of base64, and found
 * with line breaks inside too, which mail and keys have, also as escapes of JSON.
 */
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
/** Bytes of a line break, escaped twice at most, and the shortest lines in which base64 is written. */
const BREAKS = 8
const SHORTEST_LINE = 16

function slotOf(head: number): number {
  return Math.imul(head, 0x9e3779b1) >>> (32 - BITS)
}

const [LF, CR, SLASH, N, R] = [10, 13, 92, 110, 114]

/** Neither a backslash nor what it escapes is of base64. */
function isBreak(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at]
  return byte === LF || byte === CR || byte === SLASH || ((byte === N || byte === R) && bytes[at - 1] === SLASH)
}

/** `groups[i]` are the patterns of the i-th thing that is looked for. */
export function byteSearch(groups: readonly (readonly Pattern[])[]): ByteSearch {
  const heads = { folded: new Map<number, Entry[]>(), exact: new Map<number, Entry[]>() }
  const filter = { folded: new Uint8Array(1 << BITS), exact: new Uint8Array(1 << BITS) }
  let longest = 0
  for (const [group, patterns] of groups.entries()) {
    for (const { bytes, exact } of patterns) {
      const kind = exact ? 'exact' : 'folded'
      const head = [0, 1, 2, 3].reduce((sum, i) => (sum << 8) | (FOLD[bytes[i] as number] as number) | 0, 0)
      const entry = { bytes: exact ? bytes : bytes.map((byte) => FOLD[byte] as number), exact, group }
      heads[kind].set(head, [...(heads[kind].get(head) ?? []), entry])
      filter[kind][slotOf(head)] = 1
      longest = Math.max(longest, bytes.length + (exact ? BREAKS * Math.ceil(bytes.length / SHORTEST_LINE) : 0))
    }
  }
  let found = new Set<number>()
  let rest: Uint8Array = new Uint8Array(0)

  function look(bytes: Uint8Array): void {
    let head = 0
    let joined = 0
    for (let i = 0; i < bytes.length; i += 1) {
      const byte = FOLD[bytes[i] as number] as number
      head = (head << 8) | byte | 0
      if (i >= SHORTEST_PATTERN - 1 && filter.folded[slotOf(head)] !== 0) {
        for (const entry of heads.folded.get(head) ?? []) {
          if (!found.has(entry.group) && isAt(bytes, i - SHORTEST_PATTERN + 1, entry)) found.add(entry.group)
        }
      }
      if (isBreak(bytes, i)) continue
      joined = (joined << 8) | byte | 0
      if (filter.exact[slotOf(joined)] === 0) continue
      for (const entry of heads.exact.get(joined) ?? []) {
        if (!found.has(entry.group) && isAround(bytes, i, entry)) found.add(entry.group)
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

function isAt(bytes: Uint8Array, from: number, { bytes: wanted }: Entry): boolean {
  if (from + wanted.length > bytes.length) return false
  for (let i = 0; i < wanted.length; i += 1) if (FOLD[bytes[from + i] as number] !== wanted[i]) return false
  return true
}

/** `at` is the place of its fourth character. */
function isAround(bytes: Uint8Array, at: number, { bytes: wanted }: Entry): boolean {
  let from = at
  for (let left = SHORTEST_PATTERN - 1; left > 0; ) {
    from -= 1
    if (from < 0) return false
    if (!isBreak(bytes, from)) left -= 1
  }
  let i = 0
  for (let place = from; i < wanted.length && place < bytes.length; place += 1) {
    if (isBreak(bytes, place)) continue
    if (bytes[place] !== wanted[i]) return false
    i += 1
  }
  return i === wanted.length
}
