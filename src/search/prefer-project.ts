/** Hits of the project in which somebody asks come a little earlier; none is left out. Reads only. */
import type { Store } from '../store/store.ts'
import type { Ranked } from './candidate.ts'

/** Of a score: enough to decide between hits that are about as good, not enough to bring a bad one before a good one. */
const BONUS = 0.04

/** `folder` is where the asker works: in a project, below it, or in a worktree or another clone of it. */
export async function preferProject(store: Store, ranked: readonly Ranked[], folder: string): Promise<readonly Ranked[]> {
  if (ranked.length === 0) return ranked
  const keys = await projectKeysAt(store, folder)
  if (keys.size === 0) return ranked
  const sessions = await store.rows.sessions([...new Set(ranked.map(({ group }) => group))])
  const folders = new Set(
    (await store.reader.projects('all')).flatMap((row) => (keys.has(row.repository ?? row.project ?? '') ? row.project : [])),
  )
  const own = new Set(sessions.flatMap(({ id, project }) => (project !== null && folders.has(project) ? [id] : [])))
  // Where all or none are of the project, nothing changes.
  if (ranked.every(({ group }) => own.has(group) === own.has(ranked[0]?.group ?? ''))) return ranked
  return ranked
    .map((hit) =>
      own.has(hit.group)
        ? { ...hit, score: Math.min(1, hit.score * (1 + BONUS)), parts: { ...hit.parts, project: hit.score * BONUS } }
        : hit,
    )
    .sort((a, b) => b.score - a.score)
}

/** Loaded when somebody asks from a folder: it looks at the disk. */
async function projectKeysAt(store: Store, folder: string): Promise<ReadonlySet<string>> {
  return (await import('../ingest/project-called.ts')).projectKeysAt(store, folder)
}
