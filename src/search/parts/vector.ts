/** The part of a score that comes from meaning. */
import { eachCandidate, type PartOf } from '../ranking.ts'

/** Among few candidates the furthest may be near as well: a smaller range than this is not stretched. */
const LEAST_RANGE = 0.2

/**
 * Where the cosine lies between the furthest and the nearest candidate: models differ in what cosine two strangers have. What has
 * no vector yet counts as far as the middle, so that neither is it lost nor does it win by being new.
 */
export const vector: PartOf = (ranking) => {
  const known = ranking.candidates.flatMap(({ similarity }) => (similarity === undefined ? [] : [similarity]))
  const nearest = known.reduce((max, one) => Math.max(max, one), Number.NEGATIVE_INFINITY)
  const furthest = known.reduce((min, one) => Math.min(min, one), Number.POSITIVE_INFINITY)
  const range = Math.max(LEAST_RANGE, nearest - furthest)
  if (known.length === 0) return new Float64Array(ranking.candidates.length)
  return eachCandidate(ranking, ({ similarity }) => {
    if (similarity === undefined) return 0.5 * ranking.intent.trust
    return ranking.intent.trust * (1 - (nearest - similarity) / range)
  })
}
