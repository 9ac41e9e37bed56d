/** The hits that an agent is shown where it names no limit: few, and none far less relevant than the best. Pure. */
import type { SearchAnswer, SearchGroup, SearchResult } from './result.ts'

/** Measured on coding questions: of the needed facts among ten hits nine in ten are among the first six. */
const MOST = 6
/** Of several questions in one call. */
export const MOST_OF_EACH = 5
/** A hit with less than this share of the first one's score is not shown, but the second always is. */
const SHARE = 0.5
const LEAST = 2

export type ScoredHit = Pick<SearchResult, 'kind'> & { readonly score?: number; readonly relevance_score?: number }
export type AnswerWithHits = Pick<SearchAnswer, 'matched' | 'listed' | 'history'> & {
  readonly groups: readonly SearchGroup[]
  readonly results: readonly ScoredHit[]
}

/** What tool calls did stays: it is asked for by name. So does all of a list, whose order says nothing of relevance. */
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
