/** Splits a byte stream into lines. Works on bytes, so that offsets are exact; never repairs a byte, and holds no line beyond a limit. */
import { isUtf8 } from 'node:buffer'
import { LARGEST_RECORD } from '../core/largest-record.ts'

export interface Line {
  /** Without its line end, and without a byte order mark. Where `valid` is false, what is no UTF-8 is U+FFFD here. */
  readonly text: string
  /** Byte offsets: the first byte of the line, and the first byte after its newline. */
  readonly start: number
  readonly end: number
  /** False for a last line that no newline ends: it may still be in the writing. */
  readonly complete: boolean
  /** False where the bytes are not UTF-8. */
  readonly valid: boolean
  /** Longer than LARGEST_RECORD: it was passed over, and its text is empty. */
  readonly tooLong?: true
  /** Counted from 1 at the beginning of the file. */
  readonly number: number
}

export interface LinesFrom {
  readonly offset: number
  /** How many lines stand before `offset`. */
  readonly line: number
}

const NEWLINE = 10
const RETURN = 13

/** The lines of `chunks`, which begin at `from.offset`. Holds one chunk, its lines, and the pieces of one unfinished line. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  from?: LinesFrom,
  longest = LARGEST_RECORD,
): AsyncGenerator<Line, void, undefined> {
  for await (const lines of readLineLists(chunks, from, longest)) for (const line of lines) yield line
}

/** The same lines, those of each chunk in a list: one wait a chunk, not one a line. */
export async function* readLineLists(
  chunks: AsyncIterable<Buffer>,
  from: LinesFrom = { offset: 0, line: 0 },
  longest = LARGEST_RECORD,
): AsyncGenerator<Line[], void, undefined> {
  let start = from.offset
  let number = from.line
  // Pieces of a line that runs over several chunks are joined once, when it ends.
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
    // One check for all whole lines of the chunk; line by line only where it fails.
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

/** Done with even where its end is not written yet: nothing more of it would ever be read. */
const PASSED_OVER = { text: '', complete: true, valid: true, tooLong: true } as const

function decode(bytes: Buffer, start: number): string {
  let to = bytes.length
  if (to > 0 && bytes[to - 1] === RETURN) to -= 1
  const from = start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  return bytes.toString('utf8', from, to)
}
