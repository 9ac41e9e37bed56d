/** Hits of the project in which somebody asks come a little earlier; none is left out. Reads only. */
import type { Store } from '../store/store.ts'
import type { Ranked } from './candidate.ts'

/** Of a score: enough to decide between hits that are about as good, not enough to bring a bad one before a good one. */
const BONUS = 0.04

/** `folder` is where the asker works: in a project, or below it. */
export async function preferProject(store: Store, ranked: readonly Ranked[], folder: string): Promise<readonly Ranked[]> {
  const sessions = await store.rows.sessions([...new Set(ranked.map(({ group }) => group))])
  const own = new Set(sessions.flatMap(({ id, project }) => (project !== null && isWithin(folder, project) ? [id] : [])))
  // Where all or none are of the project, the order is as it was.
  if (own.size === 0) return ranked
  return ranked
    .map((hit) =>
      own.has(hit.group)
        ? { ...hit, score: Math.min(1, hit.score * (1 + BONUS)), parts: { ...hit.parts, project: hit.score * BONUS } }
        : hit,
    )
    .sort((a, b) => b.score - a.score)
}

function isWithin(folder: string, project: string): boolean {
  const [inner, outer] = [folder, project].map((path) => path.normalize('NFC').replaceAll('\\', '/').replace(/\/+$/, '')) as [
    string,
    string,
  ]
  return inner === outer || (outer !== '' && inner.startsWith(`${outer}/`))
}
