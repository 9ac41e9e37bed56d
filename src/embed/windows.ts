/** Covers the whole text. */
import { countTokens } from '../core/tokens.ts'

/** Reserve, because another tokenizer may produce more tokens. */
const MARGIN = 0.9
const OVERLAP = 0.1
/** Minimum overlap, so that no sentence is cut in both windows. */
const TOKENS_SHARED = 32
/** One unknown word to us may be many pieces to another tokenizer. */
const BYTES_PER_TOKEN = 4

/** Errs high, for foreign tokenizers. */
export function estimateTokens(text: string): number {
  return Math.max(1, countTokens(text), Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN))
}

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

/** Binary search, because counting is linear. */
function windowEnd(text: string, start: number, limit: number): number {
  let fits = start + 1
  let tooFar = start + limit * BYTES_PER_TOKEN + 1 // always too long, whatever the tokenizer
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

/** Looks back at most a fifth of the window. Never splits a surrogate pair. */
function wordStart(text: string, at: number, from: number): number {
  const earliest = Math.max(from + 1, at - Math.ceil((at - from) / 5))
  for (let i = at; i >= earliest; i--) if (/\s/.test(text.charAt(i - 1))) return i
  const inPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  return inPair && at - 1 > from ? at - 1 : at
}

/** All windows have equal length; the last ends with the text. */
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
  readonly start: number
  readonly from: number
  readonly to: number
}

/** Splits an overlap in the middle, so that both sides have context. */
export function ownTokens(tokens: number, max: number): OwnTokens[] {
  const starts = windowStarts(tokens, max)
  const borders = starts.slice(1).map((start, i) => (start + (starts[i] as number) + max) >> 1)
  return starts.map((start, i) => ({ start, from: (borders[i - 1] ?? 0) - start, to: (borders[i] ?? tokens) - start }))
}

export interface Part {
  readonly vector: Float32Array
  readonly weight: number
}

export function pooled(parts: readonly Part[]): Float32Array {
  const [first] = parts
  if (first === undefined) throw new RangeError('nothing to pool')
  if (parts.length === 1) return first.vector
  const sum = new Float64Array(first.vector.length)
  for (const { vector, weight } of parts) for (let d = 0; d < sum.length; d++) sum[d] = (sum[d] as number) + weight * (vector[d] as number)
  return normalized(sum)
}

/** Callers must reject zeros and NaN. */
export function normalized(vector: ArrayLike<number>): Float32Array {
  let square = 0
  for (let d = 0; d < vector.length; d++) square += (vector[d] as number) ** 2
  const scale = 1 / Math.sqrt(square)
  return Float32Array.from(vector, (value) => value * scale)
}
