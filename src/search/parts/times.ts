/** Parts of a score that come from when something was said. */
import { eachCandidate, type PartOf, share } from '../ranking.ts'
import { timeFit } from '../when.ts'

/** The chunk is from a time that the question names. */
export const time: PartOf = (ranking) => {
  const { times } = ranking.intent
  return eachCandidate(ranking, ({ timestamp }) => (times.length === 0 ? 0 : timeFit(timestamp, times)))
}

/** From the oldest candidate to the newest. */
export const recency: PartOf = (ranking) => {
  let oldest = Number.POSITIVE_INFINITY
  let newest = Number.NEGATIVE_INFINITY
  for (const { timestamp } of ranking.candidates) {
    oldest = Math.min(oldest, timestamp)
    newest = Math.max(newest, timestamp)
  }
  return eachCandidate(ranking, ({ timestamp }) => share(timestamp - oldest, newest - oldest))
}

/** The same, only where the question asks for the newest. */
export const newest: PartOf = (ranking) => (ranking.intent.newest ? recency(ranking) : new Float64Array(ranking.candidates.length))
