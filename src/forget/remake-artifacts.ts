/** Published sets of sessions that lost something go, files and rows; what is left of the session is published again. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArtifactPath } from '../artifacts/format/artifact-name.ts'
import { isManifest } from '../artifacts/format/frontmatter.ts'
import { memoryPath } from '../artifacts/format/memory-paths.ts'
import { sessionToken } from '../artifacts/format/session-token.ts'
import { verifyArtifacts } from '../artifacts/repair/verify.ts'
import type { Store } from '../store/store.ts'
import { type Tombstones, tombstonesOf } from '../tombstones/tombstones.ts'
import type { Forgotten } from '../tombstones/write-tombstones.ts'
import type { ForgetContext } from './context.ts'

interface Lineage {
  readonly agentId: string
  readonly token: string
  /** Of all its published files, the manifest among them. */
  readonly paths: readonly string[]
  /** Checksums of the bodies of those that do not change. */
  readonly bodies: readonly string[]
}

/**
 * What is forgotten, with the token of its session and the published files that go with it; and tombstones of those files, by the checksum of
 * their bodies. A manifest has none: it is made from the others.
 */
export async function withLineage(
  store: Store,
  { forgotten, sessions }: { readonly forgotten: readonly Forgotten[]; readonly sessions: Iterable<string> },
): Promise<Forgotten[]> {
  const known = new Map<string, Lineage>()
  for (const id of sessions) {
    const lineage = await lineageOf(store, id)
    if (lineage !== undefined) known.set(id, lineage)
  }
  const files = [...known.values()].flatMap(({ agentId, token, paths, bodies }) =>
    bodies.map((id): Forgotten => ({ kind: 'artifact', agentId, id, sessionToken: token, removedPaths: paths })),
  )
  return [...forgotten.map((one) => named(one, known)), ...files]
}

function named(one: Forgotten, known: ReadonlyMap<string, Lineage>): Forgotten {
  const session = one.kind === 'session' ? known.get(one.id ?? '') : undefined
  if (session !== undefined) return { ...one, agentId: session.agentId, sessionToken: session.token, removedPaths: session.paths }
  // The id of a record in a session begins with that of the session.
  const holder = IN_A_SESSION.has(one.kind) ? known.get((one.id ?? '').slice(0, (one.id ?? '').lastIndexOf('/'))) : undefined
  return holder === undefined ? one : { ...one, agentId: holder.agentId, sessionToken: holder.token }
}

const IN_A_SESSION: ReadonlySet<string> = new Set(['message', 'call-params', 'call-result'])

async function lineageOf(store: Store, id: string): Promise<Lineage | undefined> {
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

/** Gives the paths that were removed. `changed`: something went, so that lists of sessions may say something else now. `files`: looks at them too. */
export async function remakeArtifacts(context: ForgetContext, { changed, files }: { changed: boolean; files: boolean }): Promise<string[]> {
  const { store, published, workspace } = context
  const tombstones = await tombstonesOf({ db: store.read })
  if (tombstones === undefined) return []
  const sets = [...(await setsInRows(store, tombstones)), ...(files ? await setsInFiles(workspace, tombstones) : [])]
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

function isForgottenSet(tombstones: Tombstones, { sha256, sessionId }: { sha256: string | undefined; sessionId: string }): boolean {
  return (sha256 !== undefined && tombstones.holds('artifact', sha256)) || tombstones.holds('session', sessionId)
}

async function setsInRows(store: Store, tombstones: Tombstones): Promise<ForgottenSet[]> {
  const rows = await store.read.selectFrom('artifacts').select(['session_id', 'session_token', 'agent_id', 'source_sha256']).execute()
  return rows
    .filter(({ session_id, source_sha256 }) => isForgottenSet(tombstones, { sha256: source_sha256, sessionId: session_id }))
    .map(({ session_id, session_token, agent_id }) => ({ sessionId: session_id, token: session_token, agentId: agent_id }))
}

/** Files of which the database knows nothing: it was lost while they were being removed. */
async function setsInFiles(workspace: string, tombstones: Tombstones): Promise<ForgottenSet[]> {
  const { sound } = await verifyArtifacts(workspace, { bodies: false })
  return sound.flatMap(({ path, fields }) => {
    const token = parseArtifactPath(path)?.token
    const sha256 = isManifest(fields) ? undefined : fields.content_sha256
    if (token === undefined || !isForgottenSet(tombstones, { sha256, sessionId: fields.session_id })) return []
    return [{ sessionId: fields.session_id, token, agentId: fields.agent_id }]
  })
}
