/** Parameters of token-by-token order. Measurements: docs/ranking.md. */
import { WEIGHTS, type Weights } from './rank.ts'

export const ORDERED = 100

/** Replace those of `rank.ts`. */
export const TOKEN_WEIGHTS: Weights = { ...WEIGHTS, tokens: 2, neighbours: 0 }

/** If fewer have bits, as in a home that is being filled, the order stays. */
export const ENOUGH_KNOWN = 0.5

/** Heaviest tokens to compare: bounds the wait for a pasted file. */
export const MOST_TOKENS = 48

export interface WeighedToken {
  readonly piece: string
  readonly pieces: number
  readonly frequency: number
  readonly size: number
}

/** Rarer words weigh more. The pieces of a word share its weight; punctuation has none. */
export function tokenWeight({ piece, pieces, frequency, size }: WeighedToken): number {
  if (!/[\p{L}\p{N}]/u.test(piece)) return 0
  return Math.log(1 + (Math.max(size, frequency) - frequency + 0.5) / (frequency + 0.5)) / pieces
}
