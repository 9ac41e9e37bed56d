/** Makes the rows that speak of artifacts again from the files. What a file says wins; runtime state and the ledger are not touched. */
import type { Clock } from '../core/clock.ts'
import type { FenceReader } from '../ledgers/fence.ts'
import type { Store } from '../store/store.ts'
import { artifactRow, putArtifactRow } from './artifact-rows.ts'
import { type ArtifactProblem, verifyArtifacts } from './verify.ts'

export interface ReindexContext {
  readonly store: Store
  readonly workspace: string
  readonly clock: Clock
  readonly fence: FenceReader
  /** Only this agent's; all when absent. */
  readonly agentId?: string
}

export interface ReindexReport {
  readonly checked: number
  /** Rows that were missing or said something else. */
  readonly repaired: number
  /** Rows of files that are gone. */
  readonly removed: number
  /** Files of forgotten sessions: not indexed. */
  readonly fenced: number
  readonly problems: readonly ArtifactProblem[]
}

export async function reindexArtifacts({ store, workspace, clock, fence: readFence, agentId }: ReindexContext): Promise<ReindexReport> {
  const { checked, sound, problems } = await verifyArtifacts(workspace)
  const now = clock()
  return store.write(async (tx) => {
    const fence = await readFence(tx)
    const ours = sound.filter(({ fields }) => agentId === undefined || fields.agent_id === agentId)
    const allowed = ours.filter(({ fields }) => !fence?.holds('session', fields.session_id))
    let repaired = 0
    for (const { path, fields, headSha256 } of allowed) {
      if (await putArtifactRow(tx, artifactRow(fields, { path, headSha256, now }))) repaired += 1
    }
    const kept = new Set(allowed.map(({ path }) => path))
    const rows = tx.db.selectFrom('artifacts').select('source_path')
    let removed = 0
    for (const { source_path } of await (agentId === undefined ? rows : rows.where('agent_id', '=', agentId)).execute()) {
      if (kept.has(source_path)) continue
      await tx.db.deleteFrom('artifacts').where('source_path', '=', source_path).execute()
      removed += 1
    }
    return { checked, repaired, removed, fenced: ours.length - allowed.length, problems }
  })
}
