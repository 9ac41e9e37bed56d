/** One message as sent: own words only, redacted, without the middle if long. Maps quotes back to the ledger text. */
import { redact } from '../../core/redact.ts'
import type { Span } from '../../graph/extracted.ts'
import type { EpisodeMessage } from '../analyzer.ts'

export interface SentMessage {
  readonly message: EpisodeMessage
  readonly text: string
  /** Span in the ledger text. Undefined if not sent, or ambiguous. */
  locate(quote: string): Span | undefined
  mentions(name: string): Span[]
}

interface Piece {
  readonly from: number
  readonly to: number
  readonly at: number
}

const BETWEEN = '\n[…]\n'
/** Characters of the beginning; the end gets half as many, since outcomes stand there. */
const LONGEST_HEAD = 3_000
export const LONGEST_SENT = LONGEST_HEAD * 1.5
const MOST_MENTIONS = 20
const LONGEST_QUOTE = 1_000

export function sentMessage(message: EpisodeMessage, head = LONGEST_HEAD): SentMessage {
  const redaction = redact(message.text)
  const pieces: Piece[] = []
  let text = ''
  for (const [from, to] of shortened(ownParts(message, redaction.spans, redaction.text.length), head)) {
    const part = redaction.text.slice(from, to)
    if (part.trim() === '') continue
    if (text !== '') text += BETWEEN
    pieces.push({ from, to, at: text.length })
    text += part
  }

  function spanAt(start: number, length: number): Span | undefined {
    const piece = pieces.find(({ from, to, at }) => start >= at && start + length <= at + (to - from))
    if (piece === undefined) return undefined
    const shift = piece.from - piece.at
    return { message: message.message, start: redaction.toRaw(start + shift), end: rawEnd(redaction, start + shift + length) }
  }

  return {
    message,
    text,
    locate(quote) {
      const wanted = quote.trim()
      if (wanted === '' || wanted.length > LONGEST_QUOTE) return undefined
      const start = text.indexOf(wanted)
      if (start === -1 || text.indexOf(wanted, start + 1) !== -1) return undefined
      return spanAt(start, wanted.length)
    },
    mentions(name) {
      const found: Span[] = []
      if (name.trim() === '') return found
      for (let at = text.indexOf(name); at !== -1 && found.length < MOST_MENTIONS; at = text.indexOf(name, at + name.length)) {
        if (isLetter(text, at - 1) || isLetter(text, at + name.length)) continue
        const span = spanAt(at, name.length)
        if (span !== undefined) found.push(span)
      }
      return found
    },
  }
}

function isLetter(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /[\p{L}\p{N}_]/u.test(text.charAt(at))
}

type Redacted = ReturnType<typeof redact>

/** An end inside a replacement maps to the end of the original. */
function rawEnd({ spans, toRaw }: Redacted, end: number): number {
  const inside = spans.find(({ outStart, outEnd }) => end > outStart && end <= outEnd)
  return inside === undefined ? toRaw(end) : inside.end
}

type Range = readonly [from: number, to: number]

function ownParts({ ownWords }: EpisodeMessage, spans: Redacted['spans'], length: number): Range[] {
  if (ownWords === undefined) return [[0, length]]
  return ownWords.map(([from, to]) => [redactedOffset(spans, from), redactedOffset(spans, to)])
}

function redactedOffset(spans: Redacted['spans'], raw: number): number {
  let shift = 0
  for (const { start, end, outStart, outEnd } of spans) {
    if (raw <= start) break
    if (raw < end) return outStart
    shift = outEnd - end
  }
  return raw + shift
}

function shortened(ranges: readonly Range[], head: number): Range[] {
  const length = ranges.reduce((sum, [from, to]) => sum + to - from, 0)
  const tail = Math.floor(head / 2)
  if (length <= head + tail) return [...ranges]
  const kept: Range[] = []
  let passed = 0
  for (const [from, to] of ranges) {
    const [start, end] = [passed, passed + to - from]
    passed = end
    if (start < head) kept.push([from, from + Math.min(end, head) - start])
    if (end > length - tail) kept.push([from + Math.max(start, length - tail) - start, to])
  }
  return kept
}
