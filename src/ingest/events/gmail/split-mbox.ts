/** A mail starts at a line `From <who> <weekday> …` at the start or after an empty line. Holds only the kept part of one mail. */
import { growing, type MailSkeleton, mailSkeleton } from './mail-skeleton.ts'

export interface SplitMail {
  /** Valid until the next mail. Undefined above the record limit. */
  readonly bytes: Buffer | undefined
  readonly separator: string
  /** Byte offsets; `start` is the separator's, `end` is exclusive. */
  readonly start: number
  readonly end: number
  readonly whole: boolean
  readonly begun: boolean
}

const NEWLINE = 10
const RETURN = 13
const LONGEST_PIECE = 64 << 10
const SEPARATOR = /^From \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[ ,]/
const FROM = Buffer.from('\nFrom ')
const BOUNDARY = Buffer.from('\n--')

/** Writer of the mailbox: Takeout uses a number, Thunderbird a dash, most others the sender. */
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

/** A chunk must stay valid until the next. `stray` gets the bytes before the first separator. */
export async function* splitMbox(
  chunks: AsyncIterable<Buffer>,
  offset: number,
  stray: (bytes: number) => void = () => {},
): AsyncGenerator<SplitMail, void, undefined> {
  let rest: Buffer | undefined
  let base = offset
  let begins = true
  let afterBlank = true
  let mail: Open | undefined
  // Shared by all mails: discarded buffers fragment memory until collected.
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
      // In an attachment only lines that start with `-` or `F` matter.
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

/** Joins two buffers; valid until the next call. */
function joining(): (first: Buffer, second: Buffer) => Buffer {
  let buffer: Buffer | undefined
  return (first, second) => {
    const length = first.length + second.length
    if (buffer === undefined || buffer.length < length) buffer = Buffer.allocUnsafe(second.length + LONGEST_PIECE)
    first.copy(buffer)
    second.copy(buffer, first.length)
    return buffer.subarray(0, length)
  }
}

/** The next line that may be a boundary or separator, else the last incomplete line. */
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

function endsBlank(data: Buffer, at: number, to: number, before: boolean): boolean {
  if (to - at < 1) return before
  const last = data.lastIndexOf(NEWLINE, to - 2)
  const from = last < at ? at : last + 1
  return to - from === 1 || (to - from === 2 && data[from] === RETURN)
}
