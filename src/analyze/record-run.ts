/** Records a result that did not come from the runner. Idempotent: one run per type and episode. */
import type { WriteTx } from '../store/store.ts'
import { seedTypes } from './run/analysis-type.ts'
import { runId } from './run/runs.ts'

export interface RunRecord {
  readonly type: string
  readonly version: string
  readonly episode: string
  readonly agentId: string
  readonly output: unknown
  readonly contentHash: string
  readonly implementation: string
  /** The requested implementation and the reason, if another one answered. */
  readonly asked?: string
  readonly note?: string
  /** Keeps only the answer. The episode still waits for the full analysis, which also finds facets and a summary. */
  readonly isPart?: boolean
  readonly now: number
}

export async function recordRun(tx: WriteTx, run: RunRecord): Promise<void> {
  const { type, version, episode, agentId, contentHash, implementation, asked = implementation, note = null, now } = run
  await seedTypes(tx, now)
  const seen = await tx.db.selectFrom('episodes').select(['last_event_id', 'revision']).where('id', '=', episode).executeTakeFirst()
  const revision = run.isPart === true && !(await isComplete(tx, run, seen?.revision)) ? null : (seen?.revision ?? null)
  const values = {
    ...{ agent_id: agentId, status: 'completed' as const, started_at: now, completed_at: now, version, implementation, asked, note },
    ...{ output_text: run.output === undefined ? null : JSON.stringify(run.output), error_message: null, content_hash: contentHash },
    ...{ last_event_id: seen?.last_event_id ?? null, revision, attempts: 0, holder: null, held_until: null },
  }
  await tx.db
    .insertInto('analysis_runs')
    .values({ id: runId(type, episode), analysis_type_id: type, episode_id: episode, ...values, created_at: now })
    .onConflict((conflict) => conflict.columns(['analysis_type_id', 'episode_id']).doUpdateSet(values))
    .execute()
}

async function isComplete(tx: WriteTx, { type, episode, version }: RunRecord, revision: number | undefined): Promise<boolean> {
  const runs = tx.db.selectFrom('analysis_runs').select('id').where('analysis_type_id', '=', type).where('episode_id', '=', episode)
  const same = runs
    .where('status', '=', 'completed')
    .where('version', '=', version)
    .where('revision', '=', revision ?? -1)
  return (await same.executeTakeFirst()) !== undefined
}
