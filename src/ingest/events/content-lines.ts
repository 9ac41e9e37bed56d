/** Unfolds before decoding, because a fold may split a character. Accepts CRLF, LF and CR; holds one line. */
import { isUtf8 } from 'node:buffer'

export interface ContentLine {
  readonly number: number
  readonly text: string
}

export interface ContentLinesOptions {
  /** Detects soft line breaks: a trailing `=` in quoted-printable text. */
  readonly goesOn?: (begin: Buffer, end: Buffer) => boolean
  /** Bytes kept per line; longer ones are attachments. */
  readonly longest?: number
}

const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const TAB = 0x09
/** Fits a vCard photo. */
const LONGEST = 16 << 20

export async function* contentLines(
  chunks: AsyncIterable<Buffer>,
  { goesOn = () => false, longest = LONGEST }: ContentLinesOptions = {},
): AsyncGenerator<ContentLine, void, undefined> {
  let pieces: Buffer[] = []
  let length = 0
  let last: Buffer = Buffer.alloc(0)
  let began = 0
  let number = 0
  const take = (): ContentLine => {
    const line = { number: began, text: decoded(Buffer.concat(pieces)) }
    pieces = []
    length = 0
    return line
  }
  for await (const physical of physicalLines(inUtf8(chunks), longest)) {
    number += 1
    const [begin] = pieces
    const soft = begin !== undefined && goesOn(begin, last)
    const folded = begin !== undefined && !soft && (physical[0] === SPACE || physical[0] === TAB)
    // Drop the `=`, or with a following `De` it would decode as a byte.
    if (soft && pieces.at(-1) === last) pieces.splice(-1, 1, last.subarray(0, -1))
    if (pieces.length > 0 && !folded && !soft) yield take()
    if (pieces.length === 0) began = number
    const piece = folded ? physical.subarray(1) : physical
    length += piece.length
    last = piece // even if truncated: its end still matters
    if (length <= longest) pieces.push(piece)
    else if (pieces.length === 0) pieces.push(piece.subarray(0, longest))
  }
  if (pieces.length > 0) yield take()
}

/** Falls back to Windows-1252, a superset of Latin-1: some programs mix encodings. */
export function decoded(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes)
}

/** Decodes UTF-16 with a BOM; drops a UTF-8 BOM. */
async function* inUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let first = true
  for await (const chunk of chunks) {
    if (first && chunk.length > 0) {
      first = false
      if (chunk[0] === 0xff && chunk[1] === 0xfe) decoder = new TextDecoder('utf-16le')
      else if (chunk[0] === 0xfe && chunk[1] === 0xff) decoder = new TextDecoder('utf-16be')
      else if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) {
        yield chunk.subarray(3)
        continue
      }
    }
    yield decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }))
  }
}

async function* physicalLines(chunks: AsyncIterable<Buffer>, longest: number): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer[] = []
  let held = 0
  let afterCr = false
  for await (const chunk of chunks) {
    let from = afterCr && chunk[0] === LF ? 1 : 0
    if (chunk.length > 0) afterCr = false
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte !== LF && byte !== CR) continue
      yield rest.length === 0 ? chunk.subarray(from, at) : Buffer.concat([...rest, chunk.subarray(from, at)])
      rest = []
      held = 0
      if (byte === CR) {
        if (at + 1 === chunk.length) afterCr = true
        else if (chunk[at + 1] === LF) at += 1
      }
      from = at + 1
    }
    if (from === chunk.length || held > longest) continue
    rest.push(Buffer.from(chunk.subarray(from)))
    held += chunk.length - from
  }
  if (rest.length > 0) yield Buffer.concat(rest)
}
