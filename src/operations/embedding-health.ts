/** Whether chunks that wait for their vectors are a reason to worry: only when the last run of embedding did not come to its end. */
import { plural } from '../core/text.ts'
import { isDead, type ProcessMark } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { countChunks } from './counts.ts'
import type { HealthCheck } from './report.ts'

type Answer = Omit<HealthCheck, 'name'>

const HINT = 'Run mnemonic embed.'

export async function waitingVectors(store: Store): Promise<Answer> {
  const chunks = await countChunks(store, 'waiting')
  if (chunks === 0) return { status: 'OK', message: 'the index is up to date' }
  const waiting = `${plural(chunks, 'chunk')} without a vector yet`
  const why = await lastRun(store)
  if (why === undefined) return { status: 'OK', message: `${waiting}: search finds ${chunks === 1 ? 'it' : 'them'} by words`, hint: HINT }
  if (why === 'running') return { status: 'OK', message: `${waiting}: they are being embedded` }
  return { status: 'DEGRADED', message: `${waiting}: ${why}`, hint: HINT }
}

/** Why the last run left something behind; undefined when it did not, or when there was none. */
async function lastRun(store: Store): Promise<string | undefined> {
  const job = await store.read
    .selectFrom('jobs')
    .select(['status', 'error_message', 'details_json'])
    .where('kind', '=', 'embed')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (job === undefined) return undefined
  const details = job.details_json === null ? {} : (JSON.parse(job.details_json) as { stopped?: string | null } & Partial<ProcessMark>)
  if (job.status === 'running') return isDead(details as ProcessMark) ? 'the last run was interrupted' : 'running'
  if (job.status === 'interrupted') return 'the last run was interrupted'
  if (job.status === 'failed' || details.stopped === 'cap') return job.error_message ?? 'the last run failed'
  return details.stopped === 'budget' ? 'the last sync had no time left for them' : undefined
}
