/** Hits by session, conversation or document: a chunk is what is ranked, a session what people look for. Pure. */
import type { Ranked } from './candidate.ts'
import type { SearchGroup, SearchResult } from './result.ts'

/** A further hit counts where it holds so many of the question's words that the best hit of its session holds. */
const LEAST_SHARE = 2 / 3

/** The best hit of each of the first `limit` sessions. */
export function bestOfEach(ranked: readonly Ranked[], limit: number): Ranked[] {
  const seen = new Set<string>()
  const best = ranked.filter(({ group }) => !seen.has(group) && seen.add(group))
  return best.slice(0, limit)
}

/**
 * The groups of results. `all` are the hits of every phrasing, as often as they were found: those of a session that are not among the results
 * are counted where they match too, and are not only near in meaning or beside a better one. `work` are the tool calls that match.
 */
export function groupsOf(
  results: readonly SearchResult[],
  {
    shown,
    all,
    work,
    conversations = new Map(),
  }: {
    readonly shown: readonly Ranked[]
    readonly all: readonly Ranked[]
    readonly work: readonly Pick<Ranked, 'group'>[]
    /** Of documents that are episodes of one, by their path. */
    readonly conversations?: ReadonlyMap<string, string>
  },
): SearchGroup[] {
  const groups = new Map<string, SearchGroup & { hits: number[] }>()
  for (const [i, result] of results.entries()) {
    const { session_id, thread_id, channel, people, session_title: title, project, project_name, harness, timestamp, path } = result
    const key = session_id || (conversations.get(path) ?? path)
    const known = groups.get(key)
    const facts = { session_id, thread_id, channel, people, title, project, project_name, harness, timestamp }
    if (known) groups.set(key, { ...known, people: [...new Set([...known.people, ...people])], hits: [...known.hits, i] })
    else groups.set(key, { ...facts, discussion: null, hits: [i], more: 0 })
  }
  const further = furtherHits(shown, all)
  // Without a question (a filter alone) all that was listed counts.
  const listed = shown.every(({ parts }) => Object.keys(parts).length === 0)
  return [...groups].map(([key, group]) => {
    const least = listed ? 0 : Math.max(1, LEAST_SHARE * (results[group.hits[0] as number]?.matched.length ?? 0))
    const said = [...(further.get(key)?.values() ?? [])].filter((matched) => matched.size >= least).length
    const calls = group.hits.filter((i) => results[i]?.kind === 'work').length
    const done = work.filter((call) => call.group === key).length
    return { ...group, more: said + Math.max(0, done - calls) }
  })
}

/** For each group the words that each chunk holds which is not shown, by any phrasing. */
function furtherHits(shown: readonly Ranked[], all: readonly Ranked[]): Map<string, Map<number, Set<string>>> {
  const seen = new Set(shown.map(({ chunkId }) => chunkId))
  const further = new Map<string, Map<number, Set<string>>>()
  for (const { chunkId, group, matched } of all) {
    if (seen.has(chunkId)) continue
    const chunks = further.get(group) ?? new Map<number, Set<string>>()
    const held = chunks.get(chunkId) ?? new Set<string>()
    for (const word of matched) held.add(word)
    further.set(group, chunks.set(chunkId, held))
  }
  return further
}
