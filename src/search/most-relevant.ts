/** Limits hits for an agent that gives no limit: few, none far less relevant than the best. */
import type { SearchAnswer, SearchGroup, SearchResult } from './result.ts'

/** Measured on coding questions: nine in ten facts among ten hits are in the first six. */
const MOST = 6
/** Per question, if one call asks several. */
export const MOST_OF_EACH = 5
/** Hits below this share of the first score are cut, except the second. */
const SHARE = 0.5
const LEAST = 2

export type ScoredHit = Pick<SearchResult, 'kind'> & { readonly score?: number; readonly relevance_score?: number }
export type AnswerWithHits = Pick<SearchAnswer, 'matched' | 'listed' | 'history'> & {
  readonly groups: readonly SearchGroup[]
  readonly results: readonly ScoredHit[]
}

/** Keeps tool calls, which are asked for by name, and listings, which have no relevance. */
export function mostRelevant<A extends AnswerWithHits>(answer: A, most = MOST): A {
  const { results, matched, listed, history } = answer
  if (listed !== undefined || history !== undefined || matched === 'listed') return answer
  const scoreOf = ({ score, relevance_score }: ScoredHit) => score ?? relevance_score ?? 0
  const best = Math.max(0, ...results.filter(({ kind }) => kind === 'speech').map(scoreOf))
  const places = new Map<number, number>()
  let said = 0
  for (const [i, hit] of results.entries()) {
    if (hit.kind === 'speech') said += 1
    if (hit.kind === 'work' || (said <= most && (said <= LEAST || scoreOf(hit) >= SHARE * best))) places.set(i, places.size)
  }
  if (places.size === results.length) return answer
  const groups = answer.groups.flatMap((group) => {
    const hits = group.hits.flatMap((i) => places.get(i) ?? [])
    return hits.length === 0 ? [] : [{ ...group, hits, more: group.more + group.hits.length - hits.length }]
  })
  return { ...answer, groups, results: results.filter((_, i) => places.has(i)) }
}
