/** Offsets are exact. Never repairs bytes; bounds memory per line. */
import { isUtf8 } from 'node:buffer'
import { LARGEST_RECORD } from '../core/largest-record.ts'

export interface Line {
  /** Without line ending and BOM. Invalid bytes become U+FFFD. */
  readonly text: string
  /** Byte offsets; `end` includes the newline. */
  readonly start: number
  readonly end: number
  /** False for a last line without newline, which may still be written. */
  readonly complete: boolean
  /** Whether the bytes are UTF-8. */
  readonly valid: boolean
  /** Longer than LARGEST_RECORD: skipped, with empty text. */
  readonly tooLong?: true
  readonly number: number
}

export interface LinesFrom {
  readonly offset: number
  readonly line: number
}

const NEWLINE = 10
const RETURN = 13

/** `chunks` must start at `from.offset`. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  from?: LinesFrom,
  longest = LARGEST_RECORD,
): AsyncGenerator<Line, void, undefined> {
  for await (const lines of readLineLists(chunks, from, longest)) for (const line of lines) yield line
}

/** Lists per chunk: one await per chunk instead of per line. */
export async function* readLineLists(
  chunks: AsyncIterable<Buffer>,
  from: LinesFrom = { offset: 0, line: 0 },
  longest = LARGEST_RECORD,
): AsyncGenerator<Line[], void, undefined> {
  let start = from.offset
  let number = from.line
  let pieces: Buffer[] = []
  let held = 0
  const hold = (piece: Buffer) => {
    held += piece.length
    if (held > longest) pieces = []
    else pieces.push(piece)
  }
  for await (const chunk of chunks) {
    const last = chunk.lastIndexOf(NEWLINE)
    if (last === -1) {
      hold(chunk)
      continue
    }
    // One UTF-8 check per chunk; per line only if it fails.
    const checked = isUtf8(chunk.subarray(chunk.indexOf(NEWLINE) + 1, last + 1))
    const lines: Line[] = []
    let from = 0
    while (from <= last) {
      const to = chunk.indexOf(NEWLINE, from)
      const first = from === 0
      const piece = chunk.subarray(from, to)
      const length = first ? held + piece.length : piece.length
      const end = start + length + 1
      number += 1
      if (length > longest) lines.push({ ...PASSED_OVER, start, end, number })
      else {
        const bytes = first && pieces.length > 0 ? Buffer.concat([...pieces, piece]) : piece
        lines.push({ text: decode(bytes, start), start, end, complete: true, valid: (checked && !first) || isUtf8(bytes), number })
      }
      if (first) {
        pieces = []
        held = 0
      }
      start = end
      from = to + 1
    }
    yield lines
    if (from < chunk.length) hold(chunk.subarray(from))
  }
  if (held === 0) return
  const end = start + held
  number += 1
  if (held > longest) {
    yield [{ ...PASSED_OVER, start, end, number }]
    return
  }
  const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
  yield [{ text: decode(bytes, start), start, end, complete: false, valid: isUtf8(bytes), number }]
}

/** `complete` even without newline: the rest is never read. */
const PASSED_OVER = { text: '', complete: true, valid: true, tooLong: true } as const

function decode(bytes: Buffer, start: number): string {
  let to = bytes.length
  if (to > 0 && bytes[to - 1] === RETURN) to -= 1
  const from = start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  return bytes.toString('utf8', from, to)
}
