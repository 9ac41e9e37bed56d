/** Keeps in the log of jobs what an indexing run did and how it ended. A run that found nothing to do leaves no row. */
import type { Clock } from '../core/clock.ts'
import { asMnemonicError } from '../core/error.ts'
import { jobMessage } from '../store/job.ts'
import type { Store } from '../store/store.ts'
import type { IndexReport } from './index-report.ts'
import type { Tally } from './tally.ts'

export interface IndexJob {
  readonly store: Store
  readonly clock: Clock
  readonly agentId: string | undefined
  readonly counts: Tally
}

export async function logged(job: IndexJob, work: (counts: Tally) => Promise<unknown>): Promise<IndexReport> {
  const { clock, counts } = job
  const started = clock()
  try {
    await work(counts)
  } catch (error) {
    // The error of the work is the one to know of; where nothing can be written the log cannot either.
    await save(job, started, error).catch(() => undefined)
    throw error
  }
  if (counts.sessions > 0) await save(job, started)
  return counts.report(Math.max(0, Math.round(clock() - started)))
}

async function save({ store, clock, agentId, counts }: IndexJob, started: number, error?: unknown): Promise<void> {
  const failure = error === undefined ? undefined : asMnemonicError(error)
  const now = clock()
  await store.write(async (tx) => {
    await tx.db
      .insertInto('jobs')
      .values({
        kind: 'index',
        status: failure === undefined ? 'done' : failure.code === 'INTERRUPTED' ? 'interrupted' : 'failed',
        agent_id: agentId ?? 'main',
        items: counts.sessions,
        duration_ms: Math.max(0, Math.round(now - started)),
        error_code: failure?.code ?? null,
        error_message: failure === undefined ? null : jobMessage(failure),
        started_at: started,
        finished_at: now,
      })
      .execute()
  })
}
