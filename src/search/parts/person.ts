/** Parts of a score that come from whom the question names. */
import { eachCandidate, type PartOf, share } from '../ranking.ts'

/** The engine's score where that person said it themselves, against the best one. */
export const said: PartOf = (ranking) => {
  const best = ranking.candidates.reduce((max, one) => Math.max(max, one.said), 0)
  return eachCandidate(ranking, (one) => share(one.said, best))
}

/** That person speaks there, whatever they say. */
export const speaks: PartOf = (ranking) => eachCandidate(ranking, (one) => (one.speaks ? 1 : 0))
