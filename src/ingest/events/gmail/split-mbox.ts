/**
 * Splits an mbox into its mails as it streams by. A mail begins at a line `From <who> <weekday> …` that is the first of all or follows an empty line;
 * other lines that begin so are text. Long lines come in pieces, attachments are passed over: nothing is held but what is kept of one mail.
 */
import { growing, type MailSkeleton, mailSkeleton } from './mail-skeleton.ts'

export interface SplitMail {
  /** What is kept of it, until the next one is asked for. Undefined where that is more than a record may be. */
  readonly bytes: Buffer | undefined
  /** The line before it. */
  readonly separator: string
  /** Byte offsets: of its separator, and of the first byte after it. */
  readonly start: number
  readonly end: number
  /** Another mail follows: this one is whole. */
  readonly whole: boolean
  /** Its headers came to their end. */
  readonly begun: boolean
}

const NEWLINE = 10
const RETURN = 13
const LONGEST_PIECE = 64 << 10
const SEPARATOR = /^From \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[ ,]/
const FROM = Buffer.from('\nFrom ')
const BOUNDARY = Buffer.from('\n--')

/** Who wrote the mailbox, as far as its separators show: Takeout puts a number there, Thunderbird a dash, most others the sender. */
export type SeparatorShape = 'number' | 'dash' | 'sender'

export function shapeOf(separator: string): SeparatorShape {
  if (/^From \d+@xxx /.test(separator)) return 'number'
  return separator.startsWith('From - ') ? 'dash' : 'sender'
}

interface Open {
  readonly skeleton: MailSkeleton
  readonly separator: string
  readonly start: number
}

/** The mails of `chunks`, which begin at `offset`; a chunk is needed until the next is asked for. What stands before the first separator is given to `stray`. */
export async function* splitMbox(
  chunks: AsyncIterable<Buffer>,
  offset: number,
  stray: (bytes: number) => void = () => {},
): AsyncGenerator<SplitMail, void, undefined> {
  let rest: Buffer | undefined
  /** Where the data in hand begins. */
  let base = offset
  let begins = true
  let afterBlank = true
  let mail: Open | undefined
  // One of each for all mails: buffers that are let go wait long to be collected, and lie between others that are in use.
  const kept = growing()
  const join = joining()
  const close = (open: Open, end: number, whole: boolean): SplitMail => {
    const { separator, start, skeleton } = open
    const { begun } = skeleton
    return { bytes: skeleton.end(), separator, start, end, whole, begun }
  }
  let done: SplitMail | undefined
  const take = (line: Buffer, at: number) => {
    if (begins && afterBlank && line[0] === 70) {
      const text = line.toString('latin1', 0, 400)
      if (SEPARATOR.test(text)) {
        if (mail !== undefined) done = close(mail, at, true)
        mail = { skeleton: mailSkeleton({ unquote: true, kept }), separator: text.trimEnd(), start: at }
        afterBlank = false
        return
      }
    }
    if (mail === undefined) {
      if (line.length > 2) stray(line.length)
    } else mail.skeleton.line(line, begins)
    if (begins) afterBlank = line[0] === NEWLINE || (line[0] === RETURN && line[1] === NEWLINE)
  }
  for await (const chunk of chunks) {
    const data: Buffer = rest === undefined ? chunk : join(rest, chunk)
    let at = base === 0 && data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? 3 : 0
    const next = nextMarks(data)
    for (;;) {
      // In an attachment only a boundary or another mail is of interest, and both begin a line.
      if (mail?.skeleton.skims && begins && data[at] !== 45 && data[at] !== 70) {
        const to = next(at)
        if (to > at) {
          mail.skeleton.passed(data.subarray(at, to))
          afterBlank = endsBlank(data, at, to, afterBlank)
          at = to
        }
      }
      const newline = data.indexOf(NEWLINE, at)
      if (newline === -1) break
      take(data.subarray(at, newline + 1), base + at)
      at = newline + 1
      begins = true
      if (done !== undefined) {
        yield done
        done = undefined
      }
    }
    rest = at < data.length ? data.subarray(at) : undefined
    base += at
    if (rest !== undefined && rest.length > LONGEST_PIECE) {
      take(rest, base)
      base += rest.length
      rest = undefined
      begins = false
    } else if (rest !== undefined) rest = Buffer.from(rest)
  }
  if (rest !== undefined) {
    take(rest, base)
    base += rest.length
    if (done !== undefined) yield done
  }
  if (mail !== undefined) yield close(mail, base, false)
}

/** Two buffers in a row, until it is called again. */
function joining(): (first: Buffer, second: Buffer) => Buffer {
  let buffer: Buffer | undefined
  return (first, second) => {
    const length = first.length + second.length
    // With room for the longest piece, so that it seldom grows.
    if (buffer === undefined || buffer.length < length) buffer = Buffer.allocUnsafe(second.length + LONGEST_PIECE)
    first.copy(buffer)
    second.copy(buffer, first.length)
    return buffer.subarray(0, length)
  }
}

/** From a line on, the next line that may be a boundary or a separator; where there is none, the last line that is not whole yet. */
function nextMarks(data: Buffer): (at: number) => number {
  const found = new Map<Buffer, number>()
  const following = (mark: Buffer, at: number) => {
    const known = found.get(mark)
    if (known !== undefined && (known === -1 || known >= at)) return known
    const position = data.indexOf(mark, at)
    found.set(mark, position)
    return position
  }
  return (at) => {
    const marks = [following(FROM, at), following(BOUNDARY, at)].filter((position) => position !== -1)
    return (marks.length > 0 ? Math.min(...marks) : data.lastIndexOf(NEWLINE)) + 1
  }
}

/** Whether the last of the lines from `at` to `to` is empty. */
function endsBlank(data: Buffer, at: number, to: number, before: boolean): boolean {
  if (to - at < 1) return before
  const last = data.lastIndexOf(NEWLINE, to - 2)
  const from = last < at ? at : last + 1
  return to - from === 1 || (to - from === 2 && data[from] === RETURN)
}
