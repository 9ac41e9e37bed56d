/** Raises hits of the caller's project a little; drops none. */
import type { Store } from '../store/store.ts'
import type { Ranked } from './candidate.ts'

/** Decides between similar hits; cannot lift a bad one. */
const BONUS = 0.04

/** `folder` is inside the project, or in a worktree or another clone of it. */
export async function preferProject(store: Store, ranked: readonly Ranked[], folder: string): Promise<readonly Ranked[]> {
  if (ranked.length === 0) return ranked
  const keys = await projectKeysAt(store, folder)
  if (keys.size === 0) return ranked
  const sessions = await store.rows.sessions([...new Set(ranked.map(({ group }) => group))])
  const folders = new Set(
    (await store.reader.projects('all')).flatMap((row) => (keys.has(row.repository ?? row.project ?? '') ? row.project : [])),
  )
  const own = new Set(sessions.flatMap(({ id, project }) => (project !== null && folders.has(project) ? [id] : [])))
  // If all or none belong to the project, nothing changes.
  if (ranked.every(({ group }) => own.has(group) === own.has(ranked[0]?.group ?? ''))) return ranked
  return ranked
    .map((hit) =>
      own.has(hit.group)
        ? { ...hit, score: Math.min(1, hit.score * (1 + BONUS)), parts: { ...hit.parts, project: hit.score * BONUS } }
        : hit,
    )
    .sort((a, b) => b.score - a.score)
}

async function projectKeysAt(store: Store, folder: string): Promise<ReadonlySet<string>> {
  return (await import('../ingest/project-called.ts')).projectKeysAt(store, folder)
}
