/** Parts of a score that come from the words of the query. */
import type { PlannedTerm } from '../plan.ts'
import { eachCandidate, type PartOf, type Ranking, share } from '../ranking.ts'

/** The engine's score, against the best one. */
export const bm25: PartOf = (ranking) => {
  const best = ranking.candidates.reduce((max, one) => Math.max(max, one.bm25), 0)
  return eachCandidate(ranking, (one) => share(one.bm25, best))
}

/** The share of the query's worth that the chunk holds; a rare word is worth more. */
export const coverage: PartOf = (ranking) => {
  const terms = termsOf(ranking)
  return heldWorth(ranking, terms, worth(terms))
}

/** Exact tokens and quoted phrases, or words that stand side by side as in the query: whichever speaks more for the chunk. */
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
