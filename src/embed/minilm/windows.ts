/** Cuts a text that is longer than the model's window into overlapping windows of the same length, and makes one vector of theirs. */

/** Tokens that two windows share at least, so that no sentence is cut in both. */
const OVERLAP = 32

/** The windows of a text in order; one where it fits. They cover every token, and the last ends where the text ends. */
export function windows(tokens: readonly number[], max: number): (readonly number[])[] {
  if (tokens.length <= max) return [tokens]
  const overlap = Math.min(OVERLAP, max >> 1)
  const count = Math.ceil((tokens.length - overlap) / (max - overlap))
  const last = tokens.length - max
  return Array.from({ length: count }, (_, number) => {
    const start = Math.round((number * last) / (count - 1))
    return tokens.slice(start, start + max)
  })
}

export interface Part {
  readonly vector: Float32Array
  /** Its share: the number of its tokens. */
  readonly weight: number
}

/** The weighted mean, again of length 1. */
export function pooled(parts: readonly Part[]): Float32Array {
  const [first] = parts
  if (!first) return new Float32Array(0)
  if (parts.length === 1) return first.vector
  const sum = new Float32Array(first.vector.length)
  for (const { vector, weight } of parts) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (vector[i] as number) * weight
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0)) || 1
  return sum.map((value) => value / length)
}
