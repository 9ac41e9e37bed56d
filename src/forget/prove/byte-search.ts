/** Searches many patterns in one pass, ignoring ASCII case. Exact patterns (base64) match across line breaks, even JSON-escaped. */
import { type Pattern, SHORTEST_PATTERN } from './encodings.ts'

export interface ByteSearch {
  feed(piece: Uint8Array): void
  reset(): void
  readonly found: ReadonlySet<number>
}

interface Entry {
  readonly bytes: Uint8Array
  readonly exact: boolean
  readonly group: number
}

const FOLD = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte))
const BITS = 20
/** Longest line break (escaped twice) and shortest base64 lines, in bytes. */
const BREAKS = 8
const SHORTEST_LINE = 16

function slotOf(head: number): number {
  return Math.imul(head, 0x9e3779b1) >>> (32 - BITS)
}

const SLASH = 92
/** 1: line break or backslash; 2: n or r, a break after a backslash. None is base64. */
const BREAK = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 10 || byte === 13 || byte === SLASH ? 1 : byte === 110 || byte === 114 ? 2 : 0,
)

function isBreak(bytes: Uint8Array, at: number): boolean {
  const kind = BREAK[bytes[at] as number]
  return kind !== 0 && (kind === 1 || bytes[at - 1] === SLASH)
}

const [FOLDED, EXACT] = [1, 2]

export function byteSearch(groups: readonly (readonly Pattern[])[]): ByteSearch {
  const folded = new Map<number, Map<number, Entry[]>>()
  const exactHeads = new Map<number, Entry[]>()
  const filter = new Uint8Array(1 << BITS)
  let longest = 0
  for (const [group, patterns] of groups.entries()) {
    for (const { bytes, exact } of patterns) {
      const head = fourAt(bytes, 0)
      const entry = { bytes: exact ? bytes : bytes.map((byte) => FOLD[byte] as number), exact, group }
      if (exact) add(exactHeads, head, entry)
      else {
        const following = folded.get(head) ?? new Map<number, Entry[]>()
        folded.set(head, following)
        add(following, bytes.length < 2 * SHORTEST_PATTERN ? SHORT : fourAt(bytes, SHORTEST_PATTERN), entry)
      }
      filter[slotOf(head)] = (filter[slotOf(head)] as number) | (exact ? EXACT : FOLDED)
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
      let kinds = filter[slotOf(head)] as number
      if ((kinds & FOLDED) !== 0 && i >= SHORTEST_PATTERN - 1) {
        // Many lines share a start: the next four bytes are part of the key.
        const following = folded.get(head)
        for (const key of following === undefined ? [] : [SHORT, fourAt(bytes, i + 1)]) {
          for (const entry of following?.get(key) ?? []) {
            if (!found.has(entry.group) && isAt(bytes, i - SHORTEST_PATTERN + 1, entry)) found.add(entry.group)
          }
        }
      }
      if (isBreak(bytes, i)) continue
      joined = (joined << 8) | byte | 0
      if (joined !== head) kinds = filter[slotOf(joined)] as number
      if ((kinds & EXACT) === 0) continue
      for (const entry of exactHeads.get(joined) ?? []) {
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
      // A match may continue in the next piece.
      rest = Uint8Array.from(bytes.subarray(Math.max(0, bytes.length - longest + 1)))
    },
  }
}

/** Equals no four bytes. */
const SHORT = Number.NaN

/** Bytes past the end count as zero. */
function fourAt(bytes: Uint8Array, at: number): number {
  let four = 0
  for (let i = at; i < at + SHORTEST_PATTERN; i += 1) four = (four << 8) | (FOLD[bytes[i] ?? 0] as number) | 0
  return four
}

function add(entries: Map<number, Entry[]>, key: number, entry: Entry): void {
  const some = entries.get(key)
  if (some === undefined) entries.set(key, [entry])
  else some.push(entry)
}

function isAt(bytes: Uint8Array, from: number, { bytes: wanted }: Entry): boolean {
  if (from + wanted.length > bytes.length) return false
  for (let i = 0; i < wanted.length; i += 1) if (FOLD[bytes[from + i] as number] !== wanted[i]) return false
  return true
}

/** `at`: index of the fourth character. */
function isAround(bytes: Uint8Array, at: number, { bytes: wanted }: Entry): boolean {
  let from = at
  for (let left = SHORTEST_PATTERN - 1; left > 0; ) {
    from -= 1
    if (from < 0) return false
    if (!isBreak(bytes, from)) left -= 1
  }
  let i = 0
  for (let next = from; i < wanted.length && next < bytes.length; next += 1) {
    if (isBreak(bytes, next)) continue
    if (bytes[next] !== wanted[i]) return false
    i += 1
  }
  return i === wanted.length
}
