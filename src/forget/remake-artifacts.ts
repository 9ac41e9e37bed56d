/** Published sets of sessions that lost something go, files and rows; what is left of the session is published again. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArtifactPath } from '../artifacts/artifact-name.ts'
import { isManifest } from '../artifacts/frontmatter.ts'
import { memoryPath } from '../artifacts/memory-paths.ts'
import { verifyArtifacts } from '../artifacts/verify.ts'
import { type Fence, fenceOf } from '../ledgers/fence.ts'
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

interface FencedSet {
  readonly sessionId: string
  readonly token: string
  readonly agentId: string
}

/** Gives the paths that were removed. `changed`: something went, so that lists of sessions may say something else now. `files`: looks at them too. */
export async function remakeArtifacts(context: ForgetContext, { changed, files }: { changed: boolean; files: boolean }): Promise<string[]> {
  const { store, published, workspace } = context
  const fence = await fenceOf({ db: store.read })
  if (fence === undefined) return []
  const sets = [...(await setsInRows(store, fence)), ...(files ? await setsInFiles(workspace, fence) : [])]
  const agents = new Set(sets.map(({ agentId }) => agentId))
  if (changed && existsSync(join(workspace, memoryPath('main')))) agents.add('main')
  if (changed)
    for (const { agent_id } of await store.read.selectFrom('artifacts').select('agent_id').distinct().execute()) agents.add(agent_id)
  const removed: string[] = []
  for (const set of new Map(sets.map((one) => [one.token, one])).values()) {
    removed.push(...(await published.remove(set)))
    const session = await store.read.selectFrom('agent_sessions').select('id').where('id', '=', set.sessionId).executeTakeFirst()
    if (session !== undefined) await published.publish(session.id)
  }
  for (const agent of agents) await published.render(agent)
  return removed
}

function isFenced(fence: Fence, { sha256, sessionId }: { sha256: string | undefined; sessionId: string }): boolean {
  return (sha256 !== undefined && fence.holds('artifact', sha256)) || fence.holds('session', sessionId)
}

async function setsInRows(store: Store, fence: Fence): Promise<FencedSet[]> {
  const rows = await store.read.selectFrom('artifacts').select(['session_id', 'session_token', 'agent_id', 'source_sha256']).execute()
  return rows
    .filter(({ session_id, source_sha256 }) => isFenced(fence, { sha256: source_sha256, sessionId: session_id }))
    .map(({ session_id, session_token, agent_id }) => ({ sessionId: session_id, token: session_token, agentId: agent_id }))
}

/** Files of which the database knows nothing: it was lost while they were being removed. */
async function setsInFiles(workspace: string, fence: Fence): Promise<FencedSet[]> {
  const { sound } = await verifyArtifacts(workspace, { bodies: false })
  return sound.flatMap(({ path, fields }) => {
    const token = parseArtifactPath(path)?.token
    const sha256 = isManifest(fields) ? undefined : fields.content_sha256
    if (token === undefined || !isFenced(fence, { sha256, sessionId: fields.session_id })) return []
    return [{ sessionId: fields.session_id, token, agentId: fields.agent_id }]
  })
}
