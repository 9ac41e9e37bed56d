/** Windows over a text that is longer than a model's window, and the one vector made of theirs. No part of the text is left out. */
import { countTokens } from '../core/tokens.ts'

/** Another model's tokenizer may cut finer than ours; so much of its window stays free for that. */
const MARGIN = 0.9
const OVERLAP = 0.1
/** Tokens that two windows share at least, so that no sentence is cut in both. */
const TOKENS_SHARED = 32
/** Where our tokenizer sees one unknown word, another sees many pieces: about so many bytes each. */
const BYTES_PER_TOKEN = 4

/** What a text costs a model whose tokenizer is not ours: rather too much than too little. */
export function estimateTokens(text: string): number {
  return Math.max(1, countTokens(text), Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN))
}

/** The text whole where it fits, else overlapping windows that together hold all of it, cut between words where there are any. */
export function splitWindows(text: string, maxTokens: number): string[] {
  const limit = Math.max(1, Math.floor(maxTokens * MARGIN))
  if (estimateTokens(text) <= limit) return [text]
  const windows: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = windowEnd(text, start, limit)
    windows.push(text.slice(start, end))
    if (end >= text.length) break
    start = Math.max(start + 1, wordStart(text, end - Math.floor((end - start) * OVERLAP), start))
  }
  return windows
}

/** The furthest end whose window still fits; found by halving, since the cost grows with the length. */
function windowEnd(text: string, start: number, limit: number): number {
  let fits = start + 1
  let tooFar = start + limit * BYTES_PER_TOKEN + 1 // whatever the tokenizer says, so many characters are too many
  if (text.length < tooFar && estimateTokens(text.slice(start)) <= limit) return text.length
  tooFar = Math.min(tooFar, text.length)
  while (tooFar - fits > 1) {
    const middle = (fits + tooFar) >> 1
    if (estimateTokens(text.slice(start, middle)) <= limit) fits = middle
    else tooFar = middle
  }
  const end = wordStart(text, fits, start)
  return end > start ? end : fits
}

/** The last beginning of a word at or before `at`, no further back than a fifth of the way to `from`; never inside a surrogate pair. */
function wordStart(text: string, at: number, from: number): number {
  const earliest = Math.max(from + 1, at - Math.ceil((at - from) / 5))
  for (let i = at; i >= earliest; i--) if (/\s/.test(text.charAt(i - 1))) return i
  const inPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  return inPair && at - 1 > from ? at - 1 : at
}

/** The windows of a text that our tokenizer cut, in order; one where it fits. All have the same length, and the last ends where the text ends. */
export function tokenWindows(tokens: readonly number[], max: number): (readonly number[])[] {
  return windowStarts(tokens.length, max).map((start) => tokens.slice(start, start + max))
}

function windowStarts(tokens: number, max: number): number[] {
  if (tokens <= max) return [0]
  const overlap = Math.min(TOKENS_SHARED, max >> 1)
  const count = Math.ceil((tokens - overlap) / (max - overlap))
  const last = tokens - max
  return Array.from({ length: count }, (_, number) => Math.round((number * last) / (count - 1)))
}

export interface OwnTokens {
  /** Where the window begins. */
  readonly start: number
  /** Counted within the window. */
  readonly from: number
  readonly to: number
}

/** Which tokens of each window are its own: those that two share are parted in the middle, where both know what stands around. */
export function ownTokens(tokens: number, max: number): OwnTokens[] {
  const starts = windowStarts(tokens, max)
  const borders = starts.slice(1).map((start, i) => (start + (starts[i] as number) + max) >> 1)
  return starts.map((start, i) => ({ start, from: (borders[i - 1] ?? 0) - start, to: (borders[i] ?? tokens) - start }))
}

export interface Part {
  readonly vector: Float32Array
  /** Its share: the number of its tokens. */
  readonly weight: number
}

/** The mean of the windows' vectors, each weighted with its length, at length 1. */
export function pooled(parts: readonly Part[]): Float32Array {
  const [first] = parts
  if (first === undefined) throw new RangeError('nothing to pool')
  if (parts.length === 1) return first.vector
  const sum = new Float64Array(first.vector.length)
  for (const { vector, weight } of parts) for (let d = 0; d < sum.length; d++) sum[d] = (sum[d] as number) + weight * (vector[d] as number)
  return normalized(sum)
}

/** The vector at length 1. Of all zeros, or of what is no number, only NaN can be made: callers check before. */
export function normalized(vector: ArrayLike<number>): Float32Array {
  let square = 0
  for (let d = 0; d < vector.length; d++) square += (vector[d] as number) ** 2
  const scale = 1 / Math.sqrt(square)
  return Float32Array.from(vector, (value) => value * scale)
}
