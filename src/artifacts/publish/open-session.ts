/** Where the files of a session are, also of one that only the files still know. */
import { MnemonicError } from '../../core/error.ts'
import { resolveSession } from '../../ledgers/resolve.ts'
import type { Store } from '../../store/store.ts'
import { findManifest } from '../format/find-manifest.ts'
import { readManifest } from '../format/manifest-file.ts'
import type { TokenSeed } from '../format/session-token.ts'

export interface Opened {
  readonly session_id: string
  readonly manifest_path: string
  readonly summary_path: string | null
  readonly transcript_path: string | null
  readonly compaction_path: string | null
}

interface Place {
  readonly store: Store
  readonly workspace: string
  /** Undefined: everybody's. */
  readonly agentId: string | undefined
}

/** Undefined where the session is known and was never published. Throws NOT_FOUND or AMBIGUOUS_ID. */
export async function openSession({ store, workspace, agentId }: Place, asked: string): Promise<Opened | undefined> {
  const session = await seedOf({ store, workspace, agentId }, asked)
  const path = await findManifest({ db: store.read, workspace }, session)
  const manifest = path === undefined ? undefined : readManifest(workspace, path)
  if (path === undefined || manifest === undefined) return undefined
  const { summary_path, transcript_path, compaction_path } = manifest
  return { session_id: session.sessionId, manifest_path: path, summary_path, transcript_path, compaction_path }
}

async function seedOf({ store, agentId }: Place, asked: string): Promise<TokenSeed> {
  try {
    const row = await resolveSession(store, asked, agentId)
    return { agentId: row.agent_id, sessionKey: row.session_key, sessionId: row.id }
  } catch (error) {
    if (!(error instanceof MnemonicError) || error.code !== 'NOT_FOUND') throw error
    const published = await publishedAs(store, asked, agentId)
    if (published.length !== 1) throw error
    return published[0] as TokenSeed
  }
}

const SHORTEST_PREFIX = 6

/** The ledger may be gone and the files there: by id, key, token, or the beginning of one. */
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
