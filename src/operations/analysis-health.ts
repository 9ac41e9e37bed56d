import { describeRest, type ModelRest } from '../analyze/llm/rest.ts'
import { plural } from '../core/text.ts'
import { META, readMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import { type Answer, degraded, ok } from './report.ts'

export async function analyses(store: Store): Promise<Answer> {
  const value = await readMeta(store.read, META.modelRest)
  const rest = value === undefined ? undefined : (JSON.parse(value) as ModelRest)
  if (rest !== undefined && rest.until > 0) return degraded(describeRest(rest), 'Check its key and its limits; then run mnemonic analyze.')
  const counts = await runCounts(store)
  if (counts.failed === 0) {
    const left = counts.pending + counts.running
    return ok(`${plural(counts.completed, 'run')} done${left === 0 ? '' : `, ${left} waiting or at work`}, none failed`)
  }
  const last = await store.read
    .selectFrom('analysis_runs')
    .select(['analysis_type_id', 'error_message'])
    .where('status', '=', 'failed')
    .orderBy('completed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const why = last === undefined ? '' : `; the last (${last.analysis_type_id}): ${last.error_message ?? 'unknown'}`
  return degraded(`${plural(counts.failed, 'run')} of analyses failed${why}`, 'Run mnemonic analyze --retry.')
}

export async function runCounts(store: Store): Promise<Record<'pending' | 'running' | 'completed' | 'failed', number>> {
  const rows = await store.read
    .selectFrom('analysis_runs')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
  const counts = { pending: 0, running: 0, completed: 0, failed: 0 }
  for (const { status, count } of rows) counts[status] = Number(count)
  return counts
}
