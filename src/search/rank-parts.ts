/** Parts of a score: 0 to 1 per candidate, before weights (`rank.ts`). */

import { type Candidate, eachCandidate, type PartOf, type Ranking, share } from './candidate.ts'
import type { PlannedTerm } from './plan.ts'
import { timeFit } from './when.ts'

/**
 * Relative to the best engine score. If even the best covers little of the query, a rare word matched by chance, and the part counts less.
 */
export const bm25: PartOf = (ranking) => {
  const best = ranking.candidates.reduce((max, one) => Math.max(max, one.bm25), 0)
  const sure = Math.sqrt(coverage(ranking).reduce((max, one) => Math.max(max, one), 0))
  return eachCandidate(ranking, (one) => sure * share(one.bm25, best))
}

/** Share of the query's weight that the chunk holds. */
export const coverage: PartOf = (ranking) => {
  const terms = termsOf(ranking)
  return heldWorth(ranking, terms, worth(terms))
}

/** Exact tokens and quoted phrases, or adjacent words of the query: the better of both. */
export const exact: PartOf = (ranking) => {
  const { candidates, pairsHeld } = ranking
  const names = termsOf(ranking).map((term) => (term.kind === 'exact' || term.kind === 'phrase' ? term : undefined))
  const tokens = heldWorth(ranking, names, worth(names))
  return tokens.map((value, i) => {
    const pairs = pairsHeld.filter((chunks) => chunks.has(candidates[i]?.chunkId ?? 0)).length
    return Math.max(value, share(pairs, pairsHeld.length))
  })
}

function termsOf({ plan }: Ranking): PlannedTerm[] {
  return [...plan.all, ...plan.any, ...plan.common]
}

function worth(terms: readonly (PlannedTerm | undefined)[]): number {
  return terms.reduce((sum, term) => sum + (term?.weight ?? 0), 0)
}

function heldWorth(ranking: Ranking, terms: readonly (PlannedTerm | undefined)[], whole: number): Float64Array {
  return eachCandidate(ranking, ({ chunkId }) => {
    let found = 0
    for (const [i, term] of terms.entries()) if (term && ranking.held[i]?.has(chunkId)) found += term.weight
    return share(found, whole)
  })
}

/** A smaller range is not stretched: among few candidates even the furthest may be near. */
const LEAST_RANGE = 0.2

/**
 * Position between the furthest and nearest cosine: models differ in the cosine of unrelated texts. A chunk without a vector gets the
 * middle. If it holds more than half of the query, it gets that share: new text is found by its words.
 */
export const vector: PartOf = (ranking) => {
  const known = ranking.candidates.flatMap(({ similarity }) => (similarity === undefined ? [] : [similarity]))
  const nearest = known.reduce((max, one) => Math.max(max, one), Number.NEGATIVE_INFINITY)
  const furthest = known.reduce((min, one) => Math.min(min, one), Number.POSITIVE_INFINITY)
  const range = Math.max(LEAST_RANGE, nearest - furthest)
  if (known.length === 0) return new Float64Array(ranking.candidates.length)
  const held = known.length === ranking.candidates.length ? undefined : coverage(ranking)
  return eachCandidate(ranking, ({ similarity }, i) => {
    if (similarity === undefined) return Math.max(0.5, held?.[i] ?? 0) * ranking.intent.vectorWeight
    return ranking.intent.vectorWeight * (1 - (nearest - similarity) / range)
  })
}

export const tokens: PartOf = (ranking) => eachCandidate(ranking, ({ match = 0 }) => match)

export const said: PartOf = (ranking) => {
  const best = ranking.candidates.reduce((max, one) => Math.max(max, one.said), 0)
  return eachCandidate(ranking, (one) => share(one.said, best))
}

export const speaks: PartOf = (ranking) => eachCandidate(ranking, (one) => (one.speaks ? 1 : 0))

export const time: PartOf = (ranking) => {
  const { times } = ranking.intent
  return eachCandidate(ranking, ({ timestamp }) => (times.length === 0 ? 0 : timeFit(timestamp, times)))
}

/** Oldest to newest. A meeting in a year counts as old as one a year ago. */
export const recency: PartOf = (ranking) => {
  const { now = Number.POSITIVE_INFINITY } = ranking.intent
  const pastOf = ({ timestamp }: Candidate) => (timestamp > now ? 2 * now - timestamp : timestamp)
  let oldest = Number.POSITIVE_INFINITY
  let newest = Number.NEGATIVE_INFINITY
  for (const candidate of ranking.candidates) {
    oldest = Math.min(oldest, pastOf(candidate))
    newest = Math.max(newest, pastOf(candidate))
  }
  return eachCandidate(ranking, (candidate) => share(pastOf(candidate) - oldest, newest - oldest))
}

export const newest: PartOf = (ranking) => (ranking.intent.newest ? recency(ranking) : new Float64Array(ranking.candidates.length))

const ENOUGH = 80

/** A greeting says little, however close its vector. */
export const length: PartOf = (ranking) => eachCandidate(ranking, ({ tokens }) => Math.min(1, tokens / ENOUGH))
