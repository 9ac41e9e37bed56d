/** The check of `health` on the memory-writer: how long its queue waits, and what it could not do. */
import { plural } from '../core/text.ts'
import { ago } from '../core/time.ts'
import { queueState } from '../roles/writer/take-tasks.ts'
import type { Store } from '../store/store.ts'
import { type Answer, degraded, ok } from './report.ts'

/** A worker is started with each task: what waits longer than this, nobody works on. */
const LATE_MS = 3_600_000

export async function writerQueue(store: Store, now: number): Promise<Answer> {
  const { waiting, failed, oldest } = await queueState(store)
  if (failed > 0) {
    const last = await store.read
      .selectFrom('writer_tasks')
      .select(['kind', 'harness', 'session', 'error_code', 'error_message'])
      .where('status', '=', 'failed')
      .orderBy('updated_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    const why =
      last === undefined ? '' : `; the last (${last.kind} of ${last.harness} ${last.session}): ${last.error_message ?? last.error_code}`
    return degraded(`${plural(failed, 'task')} of the writer failed${why}`, 'Run mnemonic write --retry.')
  }
  if (oldest === null) return ok('nothing waits to be written')
  const message = `${plural(waiting, 'task')} of the writer ${waiting === 1 ? 'waits' : 'wait'}, the oldest since ${ago(oldest, now)}`
  return oldest < now - LATE_MS ? degraded(message, 'Run mnemonic write.') : ok(message)
}
