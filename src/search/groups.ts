/** Hits by session or document: a chunk is what is ranked, a session what people look for. Pure. */
import type { Ranked } from './candidate.ts'
import type { SearchGroup, SearchResult } from './result.ts'

/** The best hit of each of the first `limit` sessions. */
export function bestOfEach(ranked: readonly Ranked[], limit: number): Ranked[] {
  const seen = new Set<string>()
  const best = ranked.filter(({ group }) => !seen.has(group) && seen.add(group))
  return best.slice(0, limit)
}

/** The groups of results, and how many more hits of each were ranked. */
export function groupsOf(results: readonly SearchResult[], ranked: readonly Pick<Ranked, 'group'>[]): SearchGroup[] {
  const found = new Map<string, number>()
  for (const { group } of ranked) found.set(group, (found.get(group) ?? 0) + 1)
  const groups = new Map<string, SearchGroup & { hits: number[] }>()
  for (const [i, result] of results.entries()) {
    const { session_id, session_title: title, project, harness, timestamp, path } = result
    const key = session_id || path
    const known = groups.get(key)
    if (known) known.hits.push(i)
    else groups.set(key, { session_id, title, project, harness, timestamp, hits: [i], more: 0 })
  }
  return [...groups].map(([key, group]) => ({ ...group, more: Math.max(0, (found.get(key) ?? 0) - group.hits.length) }))
}
