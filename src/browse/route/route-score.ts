/** How well a session fits a message. Pure. */

export interface RouteParts {
  /** How sure the best hit of the search is. */
  readonly search: number
  /** How much of what the message names the session speaks of. */
  readonly entities: number
  readonly terms: number
  readonly topics: number
}

/** What each part can say at most alone; together they say more, never more than 1. docs/route.md has the numbers they were chosen by. */
const WEIGHTS: Readonly<RouteParts> = { search: 0.9, entities: 0.2, terms: 0.1, topics: 0.05 }
/** Where not even the best session reaches it, none knows what the message speaks of. */
const LEAST_BEST = 0.18
/** Of the best score: what is further behind is no choice beside it. */
const LEAST_SHARE = 0.5
/** Enough to decide between sessions that are about as good. */
const OF_PROJECT = 0.05
const RECENT = 0.05
const HALF_LIFE_MS = 14 * 24 * 3_600_000
/** Of what the message names; each further thing that changed counts half as much. */
const STALE = 0.03
const MOST_COUNTED = 6

export interface Circumstances {
  readonly inProject: boolean
  /** Since its last message, in milliseconds. */
  readonly age: number
}

export function scoreOf(parts: RouteParts, { inProject, age }: Circumstances): number {
  const missing = (Object.keys(WEIGHTS) as (keyof RouteParts)[]).reduce((rest, part) => rest * (1 - WEIGHTS[part] * parts[part]), 1)
  const recent = RECENT * 2 ** (-Math.max(0, age) / HALF_LIFE_MS)
  return Math.min(1, (1 - missing) * (1 + (inProject ? OF_PROJECT : 0) + recent))
}

export interface StaleCount {
  /** What the message names. */
  readonly asked: number
  readonly total: number
}

/** What the message names has changed since the session spoke of it: one that is current comes before it, all the more the more has changed. */
export function staleScore(score: number, { asked, total }: StaleCount): number {
  const others = Math.min(Math.max(total - 1, 0), MOST_COUNTED)
  return asked === 0 ? score : score * (1 - STALE * (1 + others / 2))
}

/** Those that are worth a choice, of scores in falling order; none where even the first says too little. */
export function worthChoosing<T extends { readonly score: number }>(scored: readonly T[]): readonly T[] {
  const best = scored[0]?.score ?? 0
  return best < LEAST_BEST ? [] : scored.filter(({ score }) => score >= LEAST_SHARE * best)
}
