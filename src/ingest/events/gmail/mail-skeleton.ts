/**
 * What is kept of a mail while its lines stream by: headers and the parts that a person reads. The body of an attachment is counted and let go, so a
 * mail with hundreds of megabytes of them takes as much memory as its text. What is left is a mail that any parser reads, in which the body of each
 * attachment is its size in bytes.
 */
import { isUtf8 } from 'node:buffer'
import { LARGEST_RECORD } from '../../../core/largest-record.ts'
import { type PartHeaders, partHeaders } from './part-headers.ts'

const NEWLINE = 10
const RETURN = 13
const DASH = 45
/** What a parser takes in one message is bounded too. */
const MOST_HEADERS = 1 << 20
/** Of one field: software takes the square of its length to decode it, and 128 kB are thousands of addresses. */
const LONGEST_FIELD = 128 << 10
/** Of one mail: more of them are passed over. A parser takes the square of their number. */
const MOST_PARTS = 5_000
/** Of a text that is written as it is: the parser takes the square of its lines. Further ones end in a bare CR, which makes them one line to it. */
const MOST_LINES = 2_000
/** Messages within messages that are looked into. */
const DEEPEST = 10

const CR = Buffer.from('\r')
const CRLF = Buffer.from('\r\n')

interface Level {
  readonly marker: Buffer
  readonly type: string
  /** Of alternatives: the plain text was there, and says something. */
  plain: boolean
}

type State = 'headers' | 'text' | 'cut' | 'nothing'

export interface MailSkeleton {
  /** One line with its end, or a piece of a long one; `begins` where it is the beginning of a line. */
  line(line: Buffer, begins: boolean): void
  /** True while nothing but a boundary is waited for. */
  readonly skims: boolean
  /** Lines that were passed over while it skims, all of them whole. */
  passed(bytes: Buffer): void
  /** Whether the headers of the mail came to their end. */
  readonly begun: boolean
  /** What was kept, until the next line comes. Undefined where that is longer than a record may be. */
  end(): Buffer | undefined
}

export interface SkeletonOptions {
  /** Lines that were quoted because they begin with `From ` get their beginning back. */
  readonly unquote: boolean
  /** Where it is kept: one that an earlier mail was kept in is used again. */
  readonly kept?: Growing
}

export function mailSkeleton({ unquote, kept = growing() }: SkeletonOptions): MailSkeleton {
  kept.empty()
  const body = textInto(kept)
  const levels: Level[] = []
  let state: State = 'headers'
  let headers: Buffer[] = []
  let headerBytes = 0
  let begun = false
  let depth = 0
  let parts = 0
  let alternative: Level | undefined
  let cut = newCut()

  function endCut(): void {
    if (state === 'cut') kept.add(Buffer.from(`${cut.size()}\r\n`))
    else if (state === 'text') body.end()
  }

  function endHeaders(): void {
    const part = partHeaders(headers)
    const level = levels.at(-1)
    const isDigest = level?.type === 'digest'
    const type = part.type ?? (isDigest ? 'message/rfc822' : 'text/plain')
    const fields = headers
    headers = []
    begun = true
    const write = (without?: RegExp) => writeHeaders(kept, fields, without)
    if (type.startsWith('multipart/') && part.boundary !== undefined) {
      write()
      levels.push({ marker: Buffer.from(`--${part.boundary}`, 'latin1'), type: type.slice('multipart/'.length), plain: false })
      state = 'nothing'
    } else if (type === 'message/rfc822' && !part.encoded && depth < DEEPEST) {
      // An attached mail is read as one that was forwarded in place.
      write(/^content-disposition:/i)
      depth += 1
      state = 'headers'
    } else if (isText(type) && part.disposition !== 'attachment') {
      alternative = level?.type === 'alternative' ? level : undefined
      if (type === 'text/html' && alternative?.plain) state = 'nothing'
      else {
        write()
        state = 'text'
        body.begin(part.encoded)
        if (type === 'text/html') alternative = undefined
      }
    } else {
      write(/^content-transfer-encoding:/i)
      cut = newCut(part)
      state = 'cut'
    }
  }

  /** True where the line ends the part: it is kept. */
  function isBoundary(line: Buffer): boolean {
    if (line[0] !== DASH || line[1] !== DASH) return false
    for (let at = levels.length - 1; at >= 0; at--) {
      const { marker } = levels[at] as Level
      if (line.length < marker.length || line.compare(marker, 0, marker.length, 0, marker.length) !== 0) continue
      const rest = line.toString('latin1', marker.length).trimEnd()
      if (rest !== '' && rest !== '--') continue
      if (state === 'headers') endHeaders()
      endCut()
      levels.length = rest === '--' ? at : at + 1
      if (rest === '') parts += 1
      state = rest === '--' || parts > MOST_PARTS ? 'nothing' : 'headers'
      headerBytes = 0
      if (parts > MOST_PARTS) return true
      kept.add(line)
      return true
    }
    return false
  }

  return {
    line(line, begins) {
      if (begins && levels.length > 0 && isBoundary(line)) return
      if (state === 'headers') {
        if (begins && isBlank(line)) endHeaders()
        else if (headerBytes < MOST_HEADERS) {
          headerBytes += line.length
          headers.push(Buffer.from(line))
        }
      } else if (state === 'text') {
        const said = begins && unquote && isQuotedFrom(line) ? line.subarray(1) : line
        if (alternative !== undefined && !alternative.plain && !isBlank(said)) alternative.plain = true
        body.line(said)
      } else if (state === 'cut') cut.add(line)
    },
    get skims() {
      return state === 'cut' || state === 'nothing'
    },
    passed(bytes) {
      if (state === 'cut') cut.add(bytes)
    },
    get begun() {
      return begun
    },
    end() {
      if (state === 'headers') endHeaders()
      endCut()
      return kept.bytes()
    },
  }
}

function isText(type: string): boolean {
  return type === 'text/plain' || type === 'text/html'
}

function isBlank(line: Buffer): boolean {
  return line[0] === NEWLINE || (line[0] === RETURN && (line[1] === NEWLINE || line.length === 1))
}

/** The lines of a text, in a form that a parser reads in time. */
function textInto(kept: Growing) {
  let lines = 0
  return {
    begin(encoded: boolean) {
      lines = encoded ? Number.NEGATIVE_INFINITY : 0
    },
    line(line: Buffer) {
      if (line.at(-1) === NEWLINE) lines += 1
      if (lines <= MOST_LINES || line.at(-1) !== NEWLINE) kept.add(line)
      else {
        kept.add(line.subarray(0, line.at(-2) === RETURN ? -2 : -1))
        kept.add(CR)
      }
    },
    end() {
      if (lines > MOST_LINES) kept.add(CRLF)
    },
  }
}

const FROM = Buffer.from('From ')

/** `>From `, and with every `>` more that was there before. */
function isQuotedFrom(line: Buffer): boolean {
  if (line[0] !== 62) return false
  let at = 1
  while (line[at] === 62) at += 1
  return line.length >= at + FROM.length && line.compare(FROM, 0, FROM.length, at, at + FROM.length) === 0
}

/**
 * Of the lines, those that `without` does not name, with their folded ones; in UTF-8 where they were in nothing that says what it is. A field ends at
 * its longest length. A line that is longer than what is read at once comes in pieces.
 */
function writeHeaders(kept: Growing, lines: readonly Buffer[], without?: RegExp): void {
  let skipped = false
  let length = 0
  let isWhole = true
  for (const line of lines) {
    const begins = isWhole && line[0] !== 32 && line[0] !== 9
    isWhole = line.at(-1) === NEWLINE
    if (begins) {
      skipped = without?.test(line.toString('latin1', 0, 40)) ?? false
      length = 0
    }
    const left = LONGEST_FIELD - length
    length += line.length
    if (skipped || left <= 0) continue
    const said = line.length > left ? line.subarray(0, left) : line
    kept.add(isUtf8(said) ? said : Buffer.from(WESTERN.decode(said)))
    if (line.length > left) kept.add(CRLF)
  }
  kept.add(CRLF)
}

const WESTERN = new TextDecoder('windows-1252')

/** How large an attachment is that is let go. */
function newCut(part?: PartHeaders) {
  let bytes = 0
  let first: { readonly length: number; readonly end: number } | undefined
  let last = ''
  return {
    add(piece: Buffer) {
      const newline = piece.indexOf(NEWLINE)
      if (first === undefined && newline !== -1) first = { length: newline + 1, end: piece[newline - 1] === RETURN ? 2 : 1 }
      bytes += piece.length
      last = piece.toString('latin1', Math.max(0, piece.length - 8))
    },
    /** Of base64 in lines of one length, as all software writes it, exactly. */
    size(): number {
      if (part?.encoding !== 'base64' || first === undefined) return bytes
      const rest = bytes % first.length
      const letters = Math.floor(bytes / first.length) * (first.length - first.end) + Math.max(0, rest - first.end)
      const padding = /(={0,2})\s*$/.exec(last)?.[1]?.length ?? 0
      return Math.max(0, Math.floor((letters * 3) / 4) - padding)
    },
  }
}

const FIRST_BYTES = 64 << 10
/** A buffer that grew beyond is let go with what it held. */
const KEPT_BYTES = 1 << 20

export type Growing = ReturnType<typeof growing>

/** A buffer that grows with what it holds, up to the largest record. */
export function growing() {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES)
  let length = 0
  let tooLong = false
  return {
    /** What it held stays where it is until something is added. */
    empty() {
      length = 0
      tooLong = false
      if (buffer.length > KEPT_BYTES) buffer = Buffer.allocUnsafe(FIRST_BYTES)
    },
    add(piece: Buffer) {
      if (tooLong || length + piece.length > LARGEST_RECORD) {
        tooLong = true
        return
      }
      if (length + piece.length > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.min(LARGEST_RECORD, Math.max(buffer.length * 2, length + piece.length)))
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      piece.copy(buffer, length)
      length += piece.length
    },
    bytes: () => (tooLong ? undefined : buffer.subarray(0, length)),
  }
}
