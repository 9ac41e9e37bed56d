/**
 * Keeps headers and readable parts. Attachment bodies are replaced by their size, so memory use is bounded by the text. The result is a
 * valid mail for any parser.
 */
import { isUtf8 } from 'node:buffer'
import { LARGEST_RECORD } from '../../../core/largest-record.ts'
import { type PartHeaders, partHeaders } from './part-headers.ts'

const NEWLINE = 10
const RETURN = 13
const DASH = 45
const MOST_HEADERS = 1 << 20
/** Limit per field: decoding is quadratic, and 128 kB are thousands of addresses. */
const LONGEST_FIELD = 128 << 10
/** Limit of parts: parsing is quadratic in their number. */
const MOST_PARTS = 5_000
/** Limit of lines in unencoded text, which is quadratic too. Further lines end in a bare CR, so the parser sees one line. */
const MOST_LINES = 2_000
const DEEPEST = 10

const CR = Buffer.from('\r')
const CRLF = Buffer.from('\r\n')

interface Level {
  readonly marker: Buffer
  readonly type: string
  /** In an alternative: a non-empty plain part was found. */
  plain: boolean
}

type State = 'headers' | 'text' | 'cut' | 'nothing'

export interface MailSkeleton {
  /** One line with its ending, or a piece of a long one; `begins` marks a line's start. */
  line(line: Buffer, begins: boolean): void
  /** True while only a boundary matters. */
  readonly skims: boolean
  passed(bytes: Buffer): void
  readonly begun: boolean
  /** Valid until the next line. Undefined above the record limit. */
  end(): Buffer | undefined
}

export interface SkeletonOptions {
  /** Strips one `>` from lines that start with `>From `. */
  readonly unquote: boolean
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
      // An attached mail is treated as forwarded inline.
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

function isQuotedFrom(line: Buffer): boolean {
  if (line[0] !== 62) return false
  let at = 1
  while (line[at] === 62) at += 1
  return line.length >= at + FROM.length && line.compare(FROM, 0, FROM.length, at, at + FROM.length) === 0
}

/**
 * Drops fields named in `without` with their continuations, converts to UTF-8, and truncates long fields. Very long lines arrive in pieces.
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
    /** Exact for base64 with equal line lengths, as all software writes it. */
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
const KEPT_BYTES = 1 << 20

export type Growing = ReturnType<typeof growing>

export function growing() {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES)
  let length = 0
  let tooLong = false
  return {
    /** Old content stays valid until the next write. */
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
