/** Keeps what an analysis said of an episode, where it was not the runner that asked for it. A run is unique by type and episode: repeating it replaces what it wrote. */
import type { WriteTx } from '../store/store.ts'
import { seedTypes } from './run/analysis-type.ts'
import { runId } from './run/runs.ts'

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
  /** What was asked to, where that is not what answered, and why. */
  readonly asked?: string
  readonly note?: string
  /** Only the answer is kept; the analysis itself also finds facets and a summary of the episode, and still waits for what it did not see. */
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

/** The analysis itself has seen the episode as it is. */
async function isComplete(tx: WriteTx, { type, episode, version }: RunRecord, revision: number | undefined): Promise<boolean> {
  const runs = tx.db.selectFrom('analysis_runs').select('id').where('analysis_type_id', '=', type).where('episode_id', '=', episode)
  const same = runs
    .where('status', '=', 'completed')
    .where('version', '=', version)
    .where('revision', '=', revision ?? -1)
  return (await same.executeTakeFirst()) !== undefined
}
