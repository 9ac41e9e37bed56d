/** Splits at paragraph, sentence, line or word; by force only if there is none. */
import { countTokens } from '../core/tokens.ts'
import { type Fence, fenceAt, fencesOf } from './fences.ts'

export interface SplitOptions {
  /** Budget if it shares a chunk. Ignored if no paragraph fits. */
  readonly first: number
  /** Budget if it starts a shared chunk; default `max`. */
  readonly alone?: number
  /** Budget of others, with overlap. */
  readonly max: number
}

/** Approximate tokens repeated by the next piece. */
const OVERLAP = 50
const LEAST_OVERLAP = 25
/** Tokens of a split block's fences. */
const FENCE_ROOM = 12
/** The model sees a word over a hundred letters as one token, so length counts too. */
const CHARACTERS_PER_TOKEN = 8

export interface Piece {
  readonly text: string
  readonly tokens: number
}

/** Uses the length if the tokenizer knows no tokens. */
export function costOf({ text, tokens }: Piece): number {
  return Math.max(tokens, Math.ceil(text.length / CHARACTERS_PER_TOKEN))
}

export function pieceOf(text: string): Piece {
  return { text, tokens: countTokens(text) }
}

/** Avoids counting the tokens of very long texts. */
export function isLong(text: string, max: number): boolean {
  return text.length > max * CHARACTERS_PER_TOKEN
}

interface Span {
  readonly start: number
  readonly end: number
  readonly tokens: number
  readonly cost: number
  /** Ends inside a word: tokens of both sides do not add up. */
  readonly torn: boolean
}

export function splitText(text: string, options: SplitOptions): Piece[] {
  const fences = fencesOf(text)
  const room = fences.length > 0 ? FENCE_ROOM : 0
  const max = Math.max(options.max - room, 20)
  const alone = Math.min(max, Math.max((options.alone ?? options.max) - room, 20))
  const overlap = Math.min(OVERLAP, Math.floor(max / 4))
  const spans = spansOf(text, fences, Math.max(10, Math.min(max - overlap - 10, alone)))
  const pieces: Piece[] = []
  const first = options.first - room
  let next = spans.next().value
  let budget = (next?.cost ?? 0) <= first ? first : alone
  let again: Overlap = { start: 0, tokens: 0, cost: 0, torn: false }
  while (next) {
    const taken: Span[] = []
    for (let used = 0; next && (used + next.cost <= budget || taken.length === 0); next = spans.next().value) {
      used += next.cost
      taken.push(next)
    }
    const piece = cutOut(text, { again, taken, fences })
    if (piece.text !== '') pieces.push(piece)
    again = overlapBefore(text, { fresh: taken[0]?.start ?? 0, end: taken.at(-1)?.end ?? text.length }, overlap)
    budget = max - again.cost
  }
  return pieces
}

/** Overlap before the following text; a short text whole. */
export function endOf(text: string, tokens: number): Piece {
  const most = Math.min(OVERLAP, tokens)
  const whole = isLong(text, most) ? undefined : pieceOf(text)
  if (whole !== undefined && costOf(whole) <= most) return whole
  const fences = fencesOf(text)
  const end = { start: text.length, end: text.length, tokens: 0, cost: 0, torn: false }
  const again = overlapIn(text, { fresh: 0, end: text.length }, most - (fences.length > 0 ? FENCE_ROOM : 0))
  return again.cost === 0 ? { text: '', tokens: 0 } : cutOut(text, { again, taken: [end], fences })
}

/** Lazy: a text may have a million words. */
function* spansOf(text: string, fences: readonly Fence[], limit: number): Generator<Span, undefined> {
  for (const block of blocks(text, fences)) yield* refine(text, block, limit, block.code ? LINE : SENTENCE)
  return undefined
}

function* blocks(text: string, fences: readonly Fence[]): Generator<{ start: number; end: number; code: boolean }> {
  let from = 0
  for (const fence of [...fences, undefined]) {
    const to = fence?.start ?? text.length
    for (const end of borders(text, { start: from, end: to }, /\n[ \t]*\n\s*/g)) {
      if (end > from) yield { start: from, end, code: false }
      from = end
    }
    if (fence) yield { start: fence.start, end: fence.end, code: true }
    from = fence?.end ?? to
  }
}

const SENTENCE = 0
const LINE = 1
const BORDERS: readonly RegExp[] = [/[.!?…]["'”’)\]]*\s+|[。！？]|\n\s*/g, /\n/g, /\s+/g]

function* refine(text: string, span: { start: number; end: number }, limit: number, level: number): Generator<Span, void> {
  const part = text.slice(span.start, span.end)
  const piece = isLong(part, limit) ? undefined : pieceOf(part)
  const border = BORDERS[level]
  if (piece && costOf(piece) <= limit) yield { start: span.start, end: span.end, tokens: piece.tokens, cost: costOf(piece), torn: false }
  else if (border === undefined) yield* cutByForce(text, span, limit)
  else {
    let start = span.start
    for (const end of borders(text, span, border)) {
      if (end > start) yield* refine(text, { start, end }, limit, level + 1)
      start = end
    }
  }
}

/** Up to three tokens per character. Keeps surrogate pairs. */
function* cutByForce(text: string, { start, end }: { start: number; end: number }, limit: number): Generator<Span, void> {
  for (let at = start; at < end; ) {
    let next = Math.min(end, at + Math.max(1, Math.floor(limit / 3)))
    if (next < end && isLowSurrogate(text.charCodeAt(next)) && next - 1 > at) next--
    const piece = pieceOf(text.slice(at, next))
    yield { start: at, end: next, tokens: piece.tokens, cost: costOf(piece), torn: true }
    at = next
  }
}

function* borders(text: string, { start, end }: { start: number; end: number }, border: RegExp): Generator<number> {
  const part = text.slice(start, end)
  for (const match of part.matchAll(border)) {
    const at = start + match.index + match[0].length
    if (at < end) yield at
  }
  yield end
}

const TAIL = 600

interface Overlap {
  readonly start: number
  readonly tokens: number
  readonly cost: number
  readonly torn: boolean
}

function overlapBefore(text: string, { fresh, end }: { fresh: number; end: number }, tokens: number): Overlap {
  return end >= text.length ? { start: end, tokens: 0, cost: 0, torn: false } : overlapIn(text, { fresh, end }, tokens)
}

function overlapIn(text: string, { fresh, end }: { fresh: number; end: number }, tokens: number): Overlap {
  const least = Math.max(fresh, end - TAIL)
  let start = end
  for (let used = 0; start > least; ) {
    const word = wordStart(text, start, least)
    used += costOf(pieceOf(text.slice(word, start)))
    if (used > tokens) break
    start = word
  }
  const border = text.slice(start, end).search(BORDER_OF_SENTENCE)
  const begin = border < 0 ? end : start + border
  const whole = pieceOf(text.slice(begin, end))
  if (border >= 0 && whole.tokens >= LEAST_OVERLAP) return { start: begin, tokens: whole.tokens, cost: costOf(whole), torn: false }
  const part = pieceOf(text.slice(start, end))
  return { start, tokens: part.tokens, cost: costOf(part), torn: start > 0 && !isBlank(text.charCodeAt(start - 1)) }
}

const BORDER_OF_SENTENCE = /(?<=[.!?…]["'”’)\]]?\s)(?=\S)|(?<=[。！？])|(?<=\n)(?=[ \t]*\S)/

function wordStart(text: string, end: number, least: number): number {
  let at = end
  while (at > least && isBlank(text.charCodeAt(at - 1))) at--
  const stop = Math.max(least, at - 24) // without blanks (CJK, encodings)
  while (at > stop && !isBlank(text.charCodeAt(at - 1))) at--
  return at > least && at < end && isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at
}

function cutOut(text: string, { again, taken, fences }: { again: Overlap; taken: readonly Span[]; fences: readonly Fence[] }): Piece {
  const start = again.cost > 0 ? again.start : (taken[0]?.start ?? 0)
  const end = taken.at(-1)?.end ?? start
  const opened = fenceAt(fences, start)
  const closed = fenceAt(fences, end)
  const body = text
    .slice(start, end)
    .replace(/^\s*\n/, '')
    .trimEnd()
  if (body === '') return { text: '', tokens: 0 }
  const whole = `${opened ? `${opened.opening}\n` : ''}${body}${closed ? `\n${closed.closing}` : ''}`
  if (opened || closed || again.torn || taken.some((span) => span.torn)) return pieceOf(whole)
  return { text: whole, tokens: taken.reduce((sum, span) => sum + span.tokens, again.tokens) }
}

function isBlank(code: number): boolean {
  return code <= 32 || code === 0xa0
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
