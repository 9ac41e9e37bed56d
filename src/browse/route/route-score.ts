export interface RouteParts {
  readonly search: number
  /** Share of the message's names that the session mentions. */
  readonly entities: number
  readonly terms: number
  readonly topics: number
}

/** Maximum of each part; together at most 1. Measurements: docs/route.md. */
const WEIGHTS: Readonly<RouteParts> = { search: 0.9, entities: 0.2, terms: 0.1, topics: 0.05 }
/** If the best session scores lower, none knows the subject. */
const LEAST_BEST = 0.18
/** Share of the best score; lower ones are no choice. */
const LEAST_SHARE = 0.5
/** Only decides between similar sessions. */
const OF_PROJECT = 0.05
const RECENT = 0.05
const HALF_LIFE_MS = 14 * 24 * 3_600_000
/** Per changed subject of the message; further ones count half. */
const STALE = 0.03
const MOST_COUNTED = 6

export interface Circumstances {
  readonly inProject: boolean
  readonly age: number
}

export function scoreOf(parts: RouteParts, { inProject, age }: Circumstances): number {
  const missing = (Object.keys(WEIGHTS) as (keyof RouteParts)[]).reduce((rest, part) => rest * (1 - WEIGHTS[part] * parts[part]), 1)
  const recent = RECENT * 2 ** (-Math.max(0, age) / HALF_LIFE_MS)
  return Math.min(1, (1 - missing) * (1 + (inProject ? OF_PROJECT : 0) + recent))
}

export interface StaleCount {
  readonly asked: number
  readonly total: number
}

/** Penalty for a subject that changed since: current sessions rank first. */
export function staleScore(score: number, { asked, total }: StaleCount): number {
  const others = Math.min(Math.max(total - 1, 0), MOST_COUNTED)
  return asked === 0 ? score : score * (1 - STALE * (1 + others / 2))
}

export function worthChoosing<T extends { readonly score: number }>(scored: readonly T[]): readonly T[] {
  const best = scored[0]?.score ?? 0
  return best < LEAST_BEST ? [] : scored.filter(({ score }) => score >= LEAST_SHARE * best)
}
