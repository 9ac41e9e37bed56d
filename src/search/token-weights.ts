/**
 * What decides how the first hits of a question that comes alone are ordered token by token: which, with what weights, and what each token of the
 * question counts for. All numbers of it are here; docs/ranking.md has what they were measured with.
 */
import { WEIGHTS, type Weights } from './rank.ts'

/** So many of the first hits are ordered anew. */
export const ORDERED = 100

/** In place of those of `rank.ts`. */
export const TOKEN_WEIGHTS: Weights = { ...WEIGHTS, tokens: 2, neighbours: 0 }

/** Where fewer of them than this share have bits, as in a home that is being filled, the order stays as it was. */
export const ENOUGH_KNOWN = 0.5

/** So many tokens of a question are compared, the heaviest: a pasted file is no reason to wait. */
export const MOST_TOKENS = 48

/** A token of the question with what is known of the word that it is a part of. */
export interface WeighedToken {
  /** As the vocabulary spells it. */
  readonly piece: string
  /** How many pieces its word has. */
  readonly pieces: number
  /** How many chunks hold the word, of how many. */
  readonly frequency: number
  readonly size: number
}

/** What a token counts for: the fewer chunks hold its word, the more. A word counts once, however many pieces it has; a mark counts for nothing. */
export function tokenWeight({ piece, pieces, frequency, size }: WeighedToken): number {
  if (!/[\p{L}\p{N}]/u.test(piece)) return 0
  return Math.log(1 + (Math.max(size, frequency) - frequency + 0.5) / (frequency + 0.5)) / pieces
}
