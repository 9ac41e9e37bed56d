/** Published sets of sessions that lost something go, files and rows; what is left of the session is published again. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { memoryPath } from '../artifacts/memory-paths.ts'
import { fenceOf } from '../ledgers/fence.ts'
import type { Forgotten } from '../ledgers/tombstones.ts'
import type { Store } from '../store/store.ts'
import type { ForgetContext } from './context.ts'

/** Tombstones of the files that sessions have now, by the checksum of their bodies. */
export async function artifactTombstones(store: Store, sessions: Iterable<string>): Promise<Forgotten[]> {
  const forgotten: Forgotten[] = []
  for (const id of sessions) {
    const rows = await store.read.selectFrom('artifacts').selectAll().where('session_id', '=', id).execute()
    for (const row of rows) {
      if (row.source_kind === 'manifest') continue
      forgotten.push({
        ...{ kind: 'artifact', agentId: row.agent_id, id: row.source_sha256 },
        ...{ sessionToken: row.session_token, removedPaths: [row.source_path] },
      })
    }
  }
  return forgotten
}

/** Gives the paths that were removed. `changed`: something went, so that lists of sessions may say something else now. */
export async function remakeArtifacts(context: ForgetContext, changed: boolean): Promise<string[]> {
  const { store, published, workspace } = context
  const fence = await fenceOf({ db: store.read })
  const removed: string[] = []
  const sets = new Map<string, { sessionId: string; token: string }>()
  const agents = new Set<string>()
  for (const row of await store.read.selectFrom('artifacts').selectAll().execute()) {
    if (changed) agents.add(row.agent_id)
    if (!fence?.holds('artifact', row.source_sha256) && !fence?.holds('session', row.session_id)) continue
    agents.add(row.agent_id)
    sets.set(row.session_token, { sessionId: row.session_id, token: row.session_token })
  }
  for (const set of sets.values()) {
    removed.push(...(await published.remove(set)))
    const session = await store.read.selectFrom('agent_sessions').select('id').where('id', '=', set.sessionId).executeTakeFirst()
    if (session !== undefined) await published.publish(session.id)
  }
  if (changed && existsSync(join(workspace, memoryPath('main')))) agents.add('main')
  for (const agent of agents) await published.render(agent)
  return removed
}
