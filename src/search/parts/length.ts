/** The part of a score that comes from how much a chunk says. */
import { eachCandidate, type PartOf } from '../ranking.ts'

/** In tokens; beyond this more is not better. */
const ENOUGH = 80

/** A greeting says little, whatever it is near to. */
export const length: PartOf = (ranking) => eachCandidate(ranking, ({ tokens }) => Math.min(1, tokens / ENOUGH))
