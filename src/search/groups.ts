import type { Ranked } from './candidate.ts'
import type { SearchGroup, SearchResult } from './result.ts'

/** A further hit must hold this share of the words of its group's best hit. */
const LEAST_SHARE = 2 / 3

export function bestOfEach(ranked: readonly Ranked[], limit: number): Ranked[] {
  const seen = new Set<string>()
  const best = ranked.filter(({ group }) => !seen.has(group) && seen.add(group))
  return best.slice(0, limit)
}

/** `all` holds the hits of every phrasing. Those not shown count if they match enough words. `work` holds the matching tool calls. */
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
    else groups.set(key, { ...facts, id: groupId(result), discussion: null, hits: [i], more: 0 })
  }
  const further = furtherHits(shown, all)
  const listed = shown.every(({ parts }) => Object.keys(parts).length === 0)
  return [...groups].map(([key, group]) => {
    const least = listed ? 0 : Math.max(1, LEAST_SHARE * (results[group.hits[0] as number]?.matched.length ?? 0))
    const said = [...(further.get(key)?.values() ?? [])].filter((matched) => matched.size >= least).length
    const calls = group.hits.filter((i) => results[i]?.kind === 'work').length
    const done = work.filter((call) => call.group === key).length
    return { ...group, more: said + Math.max(0, done - calls) }
  })
}

/** A turn's id without its number. Published files need `withSessionIds`. */
function groupId({ id, session_id, turn_id }: SearchResult): string {
  if (session_id === '') return id
  return id === turn_id || turn_id === '' ? session_id : id.replace(/:\d+$/, '')
}

function furtherHits(shown: readonly Ranked[], all: readonly Ranked[]): Map<string, Map<string | number, Set<string>>> {
  const hitOf = ({ turn, chunkId }: Ranked) => turn ?? chunkId
  const seen = new Set(shown.map(hitOf))
  const further = new Map<string, Map<string | number, Set<string>>>()
  for (const hit of all) {
    if (seen.has(hitOf(hit))) continue
    const hits = further.get(hit.group) ?? new Map<string | number, Set<string>>()
    const held = hits.get(hitOf(hit)) ?? new Set<string>()
    for (const word of hit.matched) held.add(word)
    further.set(hit.group, hits.set(hitOf(hit), held))
  }
  return further
}
