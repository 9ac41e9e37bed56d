import { isPublishedPath } from '../core/ids.ts'
import type { Store } from '../store/store.ts'
import type { Candidate, Ranked } from './candidate.ts'

export async function publishedSessions(store: Store, paths: readonly string[]): Promise<Map<string, string>> {
  const published = [...new Set(paths.filter(isPublishedPath))]
  if (published.length === 0) return new Map()
  const rows = await store.read.selectFrom('documents').select(['path', 'session_id']).where('path', 'in', published).execute()
  return new Map(rows.flatMap(({ path, session_id }) => (session_id === null ? [] : [[path, session_id] as const])))
}

/**
 * Drops a published file if a turn of its session among the first `limit` holds all its matched words: the turn is first-hand. Those that
 * stay become hits of their session.
 */
export async function withoutCopiesOfTurns(
  store: Store,
  { ranked, candidates }: { readonly ranked: readonly Ranked[]; readonly candidates: readonly Pick<Candidate, 'chunkId' | 'group'>[] },
  limit: number,
): Promise<readonly Ranked[]> {
  const sessionOf = await publishedSessions(
    store,
    candidates.map(({ group }) => group),
  )
  if (sessionOf.size === 0) return ranked
  const groups = new Map(candidates.map(({ chunkId, group }) => [chunkId, group]))
  const groupOf = ({ chunkId }: Ranked) => groups.get(chunkId) ?? ''
  const turns = ranked.filter((hit) => !sessionOf.has(groupOf(hit))).slice(0, limit)
  const isRepeated = (hit: Ranked) => {
    const session = sessionOf.get(groupOf(hit))
    return turns.some((turn) => groupOf(turn) === session && hit.matched.every((word) => turn.matched.includes(word)))
  }
  const kept = ranked.filter((hit) => !sessionOf.has(groupOf(hit)) || !isRepeated(hit))
  return kept.map((hit) => ({ ...hit, group: sessionOf.get(hit.group) ?? hit.group }))
}
