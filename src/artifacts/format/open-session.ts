/** Also opens sessions that are no longer in the ledger. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../core/atomic-file.ts'
import { MnemonicError } from '../../core/error.ts'
import { resolveAny, resolveSession } from '../../ledgers/resolve.ts'
import type { Store } from '../../store/store.ts'
import { ARTIFACT_FOLDER, artifactPath, parseArtifactName } from './artifact-name.ts'
import { readManifest } from './read-artifact.ts'
import { sessionToken, type TokenSeed } from './session-token.ts'

export interface Opened {
  readonly session_id: string
  readonly manifest_path: string
  readonly summary_path: string | null
  readonly transcript_path: string | null
  readonly compaction_path: string | null
}

interface OpenContext {
  readonly store: Store
  readonly workspace: string
  readonly agentId: string | undefined
}

/** Undefined if never published. Throws NOT_FOUND or AMBIGUOUS_ID. */
export async function openSession({ store, workspace, agentId }: OpenContext, asked: string): Promise<Opened | undefined> {
  const session = await seedOf({ store, workspace, agentId }, asked)
  const path = await findManifest({ db: store.read, workspace }, session)
  const manifest = path === undefined ? undefined : readManifest(workspace, path)
  if (path === undefined || manifest === undefined) return undefined
  const { summary_path, transcript_path, compaction_path } = manifest
  return { session_id: session.sessionId, manifest_path: path, summary_path, transcript_path, compaction_path }
}

async function seedOf({ store, agentId }: OpenContext, asked: string): Promise<TokenSeed> {
  try {
    const row = (await resolveAny(store, asked, agentId))?.session ?? (await resolveSession(store, asked, agentId))
    return { agentId: row.agent_id, sessionKey: row.session_key, sessionId: row.id }
  } catch (error) {
    if (!(error instanceof MnemonicError) || error.code !== 'NOT_FOUND') throw error
    const published = await publishedAs(store, asked, agentId)
    if (published.length !== 1) throw error
    return published[0] as TokenSeed
  }
}

const SHORTEST_PREFIX = 6

/** Matches id, key, token or prefix. */
async function publishedAs(store: Store, asked: string, agentId: string | undefined): Promise<TokenSeed[]> {
  const manifests = store.read
    .selectFrom('artifacts')
    .select(['agent_id as agentId', 'session_key as sessionKey', 'session_id as sessionId', 'session_token as token'])
    .where('source_kind', '=', 'manifest')
  const rows = await (agentId === undefined ? manifests : manifests.where('agent_id', '=', agentId)).execute()
  const names = (row: (typeof rows)[number]) => [row.sessionId, row.sessionId.replace(/^[^:]*:/, ''), row.sessionKey ?? '', row.token]
  const exact = rows.filter((row) => names(row).includes(asked))
  if (exact.length > 0 || asked.length < SHORTEST_PREFIX) return exact
  return rows.filter((row) => names(row).some((name) => name.startsWith(asked)))
}

export async function findManifest(
  { db, workspace }: { db: Store['read']; workspace: string },
  session: TokenSeed,
): Promise<string | undefined> {
  const token = sessionToken(session)
  const rows = await rowsOf(db, session)
  const row = rows.find(({ source_path }) => source_path.endsWith('--manifest.md') && existsSync(join(workspace, source_path)))
  if (row !== undefined) return row.source_path
  const end = `--${token}--manifest.md`
  const name = namesIn(join(workspace, ARTIFACT_FOLDER)).find((file) => file.endsWith(end) && parseArtifactName(file) !== undefined)
  return name === undefined ? undefined : `${ARTIFACT_FOLDER}/${name}`
}

export async function nameManifest(
  context: { db: Store['read']; workspace: string },
  session: TokenSeed,
  capturedAt: number,
): Promise<string> {
  const found = await findManifest(context, session)
  if (found !== undefined) return found
  const named = (await rowsOf(context.db, session)).find(({ manifest_path }) => manifest_path !== null)
  return named?.manifest_path ?? artifactPath({ capturedAt, token: sessionToken(session), kind: 'manifest' })
}

/** Newest first. Filters the token here, so that SQLite uses the index on sessions. */
async function rowsOf(db: Store['read'], session: TokenSeed): Promise<{ source_path: string; manifest_path: string | null }[]> {
  const token = sessionToken(session)
  const rows = await db
    .selectFrom('artifacts')
    .select(['source_path', 'manifest_path', 'session_token', 'captured_at'])
    .where('agent_id', '=', session.agentId)
    .where('session_id', '=', session.sessionId)
    .execute()
  return rows.filter((row) => row.session_token === token).sort((a, b) => b.captured_at - a.captured_at)
}
