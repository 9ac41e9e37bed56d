import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArtifactPath } from '../../artifacts/format/artifact-name.ts'
import { isManifest } from '../../artifacts/format/frontmatter.ts'
import { memoryPath } from '../../artifacts/format/memory-paths.ts'
import { sessionToken } from '../../artifacts/format/session-token.ts'
import { verifyArtifacts } from '../../artifacts/repair/verify.ts'
import type { Store } from '../../store/store.ts'
import { type Tombstones, tombstonesOf } from '../../tombstones/tombstones.ts'
import type { Forgotten } from '../../tombstones/write-tombstones.ts'
import type { ForgetContext } from '../context.ts'

interface Published {
  readonly agentId: string
  readonly token: string
  readonly paths: readonly string[]
  readonly bodies: readonly string[]
}

/** Adds tombstones for published files by body checksum. Manifests need none: they are derived. */
export async function withPublishedFiles(
  store: Store,
  { forgotten, sessions }: { readonly forgotten: readonly Forgotten[]; readonly sessions: Iterable<string> },
): Promise<Forgotten[]> {
  const known = new Map<string, Published>()
  for (const id of sessions) {
    const published = await publishedOf(store, id)
    if (published !== undefined) known.set(id, published)
  }
  const files = [...known.values()].flatMap(({ agentId, token, paths, bodies }) =>
    bodies.map((id): Forgotten => ({ kind: 'artifact', agentId, id, sessionToken: token, removedPaths: paths })),
  )
  return [...forgotten.map((one) => named(one, known)), ...files]
}

function named(one: Forgotten, known: ReadonlyMap<string, Published>): Forgotten {
  const session = one.kind === 'session' ? known.get(one.id ?? '') : undefined
  if (session !== undefined) return { ...one, agentId: session.agentId, sessionToken: session.token, removedPaths: session.paths }
  // A record id starts with its session id.
  const holder = IN_A_SESSION.has(one.kind) ? known.get((one.id ?? '').slice(0, (one.id ?? '').lastIndexOf('/'))) : undefined
  return holder === undefined ? one : { ...one, agentId: holder.agentId, sessionToken: holder.token }
}

const IN_A_SESSION: ReadonlySet<string> = new Set(['message', 'call-params', 'call-result'])

async function publishedOf(store: Store, id: string): Promise<Published | undefined> {
  const rows = await store.read.selectFrom('artifacts').selectAll().where('session_id', '=', id).execute()
  const session = await store.read.selectFrom('agent_sessions').select(['agent_id', 'session_key']).where('id', '=', id).executeTakeFirst()
  const agentId = session?.agent_id ?? rows[0]?.agent_id
  if (agentId === undefined) return undefined
  const token = rows[0]?.session_token ?? sessionToken({ agentId, sessionKey: session?.session_key ?? null, sessionId: id })
  const bodies = rows.filter(({ source_kind }) => source_kind !== 'manifest').map(({ source_sha256 }) => source_sha256)
  return { agentId, token, paths: rows.map(({ source_path }) => source_path).sort(), bodies }
}

interface ForgottenSet {
  readonly sessionId: string
  readonly token: string
  readonly agentId: string
}

/** `changed`: lists may be stale. `files`: also checks files without a row. */
export async function republish(context: ForgetContext, { changed, files }: { changed: boolean; files: boolean }): Promise<string[]> {
  const { store, published, workspace } = context
  const tombstones = await tombstonesOf({ db: store.read })
  if (tombstones === undefined) return []
  const sets = [...(await setsInRows(store, tombstones)), ...(files ? await setsInFiles(workspace, tombstones) : [])]
  const agents = new Set(sets.map(({ agentId }) => agentId))
  if (changed && existsSync(join(workspace, memoryPath('main')))) agents.add('main')
  if (changed)
    for (const { agent_id } of await store.read.selectFrom('artifacts').select('agent_id').distinct().execute()) agents.add(agent_id)
  // An agent without publications may have a MEMORY.md with the owner's statements.
  if (changed)
    for (const { agent_id } of await store.read.selectFrom('agent_sessions').select('agent_id').distinct().execute())
      if (existsSync(join(workspace, memoryPath(agent_id)))) agents.add(agent_id)
  const removed: string[] = []
  for (const set of new Map(sets.map((one) => [one.token, one])).values()) {
    removed.push(...(await published.remove(set)))
    const session = await store.read.selectFrom('agent_sessions').select('id').where('id', '=', set.sessionId).executeTakeFirst()
    if (session !== undefined) await published.publish(session.id)
  }
  for (const agent of agents) await published.render(agent)
  return removed
}

function isForgottenSet(tombstones: Tombstones, { sha256, sessionId }: { sha256: string | undefined; sessionId: string }): boolean {
  return (sha256 !== undefined && tombstones.holds('artifact', sha256)) || tombstones.holds('session', sessionId)
}

async function setsInRows(store: Store, tombstones: Tombstones): Promise<ForgottenSet[]> {
  const rows = await store.read.selectFrom('artifacts').select(['session_id', 'session_token', 'agent_id', 'source_sha256']).execute()
  return rows
    .filter(({ session_id, source_sha256 }) => isForgottenSet(tombstones, { sha256: source_sha256, sessionId: session_id }))
    .map(({ session_id, session_token, agent_id }) => ({ sessionId: session_id, token: session_token, agentId: agent_id }))
}

/** A crash during removal leaves files without rows. */
async function setsInFiles(workspace: string, tombstones: Tombstones): Promise<ForgottenSet[]> {
  const { sound } = await verifyArtifacts(workspace, { bodies: false })
  return sound.flatMap(({ path, fields }) => {
    const token = parseArtifactPath(path)?.token
    const sha256 = isManifest(fields) ? undefined : fields.content_sha256
    if (token === undefined || !isForgottenSet(tombstones, { sha256, sessionId: fields.session_id })) return []
    return [{ sessionId: fields.session_id, token, agentId: fields.agent_id }]
  })
}
