/** Reorders the first hits of a lone question token by token. Only hits of agent sessions: others have no token bits. */
import { given } from '../core/given.ts'
import type { Store } from '../store/store.ts'
import type { Candidate, Ranked, Ranking } from './candidate.ts'
import { rank } from './rank.ts'
import { coverage } from './rank-parts.ts'
import { tokenMatches } from './token-match.ts'
import { ENOUGH_KNOWN, MOST_TOKENS, ORDERED, TOKEN_WEIGHTS, tokenWeight } from './token-weights.ts'

export interface StatedQuestion {
  /** As in the vocabulary: `##` continues a word. */
  readonly pieces: readonly string[]
  readonly states: Float32Array
}

export interface TokenOrder {
  readonly store: Store
  readonly ranking: Ranking
  readonly question: StatedQuestion
}

/** Session hits among the first swap places; all others stay. */
export async function inTokenOrder(ranked: readonly Ranked[], { store, ranking, question }: TokenOrder): Promise<Ranked[]> {
  const byId = new Map(ranking.candidates.map((candidate) => [candidate.chunkId, candidate]))
  const first = ranked.slice(0, ORDERED).flatMap(({ chunkId }) => byId.get(chunkId) ?? [])
  const spoken = first.filter(({ turn }) => turn !== undefined)
  const matches = await matchesOf(store, spoken, question)
  if (matches.size === 0 || matches.size < ENOUGH_KNOWN * spoken.length) return [...ranked]
  const near = nearness(spoken, matches, heldBy(ranking))
  const candidates = ranking.candidates.map((candidate) => ({ ...candidate, ...given({ match: near.get(candidate.chunkId) }) }))
  const ordered = rank({ ...ranking, candidates }, TOKEN_WEIGHTS, ({ chunkId }) => near.has(chunkId))
  const places = new Set(spoken.map(({ chunkId }) => chunkId))
  let next = 0
  return ranked.map((hit) => (places.has(hit.chunkId) ? (ordered[next++] ?? hit) : hit))
}

async function matchesOf(store: Store, candidates: readonly Candidate[], question: StatedQuestion): Promise<Map<number, number>> {
  const { pieces, states } = question
  if (pieces.length === 0 || candidates.length === 0) return new Map()
  const dimensions = states.length / pieces.length
  const bits = await store.vectors.tokenBits.of(
    candidates.map(({ chunkId }) => chunkId),
    dimensions,
  )
  if (bits.size === 0) return new Map()
  const weights = heaviest(await weightsOf(store, pieces))
  const found = await tokenMatches({ states, weights, dimensions }, [...bits.values()], () => new Promise(setImmediate))
  const ids = [...bits.keys()]
  return new Map(found.flatMap((match, i) => (match === undefined ? [] : [[ids[i] as number, match] as const])))
}

async function weightsOf({ lexical }: Store, pieces: readonly string[]): Promise<number[]> {
  const size = await lexical.size()
  const words: string[][] = []
  for (const piece of pieces) {
    if (piece.startsWith('##') && piece.length > 2) (words.at(-1) ?? words[words.push([]) - 1])?.push(piece)
    else words.push([piece])
  }
  const weights: number[] = []
  for (const word of words) {
    const text = word.map((piece, i) => (i === 0 ? piece : piece.slice(2))).join('')
    const frequency = await lexical.documentFrequency({ words: [text] })
    for (const piece of word) weights.push(tokenWeight({ piece, pieces: word.length, frequency, size }))
  }
  return weights
}

function heaviest(weights: readonly number[]): number[] {
  const least = weights.toSorted((a, b) => b - a)[MOST_TOKENS] ?? 0
  return weights.map((weight) => (weight > least ? weight : 0))
}

function heldBy(ranking: Ranking): ReadonlyMap<number, number> {
  const shares = coverage(ranking)
  return new Map(ranking.candidates.map(({ chunkId }, i) => [chunkId, shares[i] as number]))
}

/** Cosine of each candidate; estimated from its vector if it has no bits yet. */
function nearness(
  candidates: readonly Candidate[],
  matches: ReadonlyMap<number, number>,
  held: ReadonlyMap<number, number>,
): Map<number, number> {
  const guess = guessed(candidates, matches, held)
  return new Map(
    candidates.map((candidate) => [candidate.chunkId, Math.min(1, Math.max(0, matches.get(candidate.chunkId) ?? guess(candidate)))]),
  )
}

/**
 * A line fitted to those that have both. Without a vector: the mean, or nearer if it holds more than half of the query. Same rule as
 * `vector` in `rank-parts.ts`.
 */
function guessed(
  candidates: readonly Candidate[],
  matches: ReadonlyMap<number, number>,
  held: ReadonlyMap<number, number>,
): (candidate: Candidate) => number {
  const both = candidates.flatMap(({ chunkId, similarity }) => {
    const match = matches.get(chunkId)
    return match === undefined || similarity === undefined ? [] : [{ match, similarity }]
  })
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const middle = mean([...matches.values()])
  const [x, y] = [mean(both.map(({ similarity }) => similarity)), mean(both.map(({ match }) => match))]
  const spread = both.reduce((sum, { similarity }) => sum + (similarity - x) ** 2, 0)
  const slope = spread === 0 ? 0 : both.reduce((sum, { similarity, match }) => sum + (similarity - x) * (match - y), 0) / spread
  const best = Math.max(...matches.values())
  const byWords = (chunkId: number) => middle + Math.max(0, 2 * (held.get(chunkId) ?? 0) - 1) * (best - middle)
  return ({ chunkId, similarity }) => {
    if (similarity === undefined) return byWords(chunkId)
    return both.length === 0 ? middle : y + slope * (similarity - x)
  }
}
