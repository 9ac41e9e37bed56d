/** Keeps what an analysis said of an episode. A run is unique by type and episode: repeating it replaces what it wrote. */
import { shortHash } from '../core/hash.ts'
import type { WriteTx } from '../store/store.ts'

export interface RunRecord {
  readonly type: string
  readonly version: string
  readonly episode: string
  readonly agentId: string
  readonly output: unknown
  /** Of what was analysed. */
  readonly contentHash: string
  /** `rules`, or the model that answered. */
  readonly implementation: string
  readonly now: number
}

export async function recordRun(tx: WriteTx, run: RunRecord): Promise<void> {
  const { type, version, episode, agentId, contentHash, implementation, now } = run
  await tx.db
    .insertInto('analysis_types')
    .values({ id: type, name: type, version, output_type: 'structured', created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ version, updated_at: now }))
    .execute()
  const seen = await tx.db.selectFrom('episodes').select('last_event_id').where('id', '=', episode).executeTakeFirst()
  const values = {
    agent_id: agentId,
    status: 'completed' as const,
    started_at: now,
    completed_at: now,
    output_text: JSON.stringify(run.output),
    error_message: null,
    content_hash: contentHash,
    implementation,
    last_event_id: seen?.last_event_id ?? null,
  }
  await tx.db
    .insertInto('analysis_runs')
    .values({ id: shortHash(32, type, '\n', episode), analysis_type_id: type, episode_id: episode, ...values, created_at: now })
    .onConflict((conflict) => conflict.columns(['analysis_type_id', 'episode_id']).doUpdateSet(values))
    .execute()
}
