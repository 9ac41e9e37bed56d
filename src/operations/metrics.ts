/** The metrics of spec 003. Never contains a query or text. */
import type { Clock } from '../core/clock.ts'
import { isoOrNull } from '../core/time.ts'
import type { Store } from '../store/store.ts'
import { countChunks, countRows } from './counts.ts'
import type { Metrics } from './report.ts'

const DAY = 86_400_000
const RECENT_JOBS = 100
const RECENT_SEARCHES = 1000

export interface MetricsOptions {
  readonly clock: Clock
  readonly storageBytes: number
}

export async function metrics(store: Store, { clock, storageBytes }: MetricsOptions): Promise<Metrics> {
  return {
    total_chunks: await countRows(store, 'chunks'),
    total_sessions: await countRows(store, 'agent_sessions'),
    last_indexed: isoOrNull(await lastIndexed(store)),
    avg_index_time_per_session_ms: await indexTimePerSession(store),
    avg_search_latency_ms: await searchLatency(store),
    search_count_24h: await searchesSince(store, clock() - DAY),
    failed_chunks: await countChunks(store, 'failed'),
    quarantined_sessions: await countRows(store, 'quarantine'),
    storage_used_mb: rounded(storageBytes / 1024 / 1024),
  }
}

async function lastIndexed(store: Store): Promise<number | null> {
  const row = await store.read
    .selectFrom('index_state')
    .select((eb) => eb.fn.max('last_indexed').as('time'))
    .executeTakeFirst()
  return row?.time ?? null
}

/** An index job's items are sessions. */
async function indexTimePerSession(store: Store): Promise<number | null> {
  const jobs = await store.read
    .selectFrom('jobs')
    .select(['items', 'duration_ms'])
    .where('kind', '=', 'index')
    .where('status', '=', 'done')
    .where('items', '>', 0)
    .orderBy('id', 'desc')
    .limit(RECENT_JOBS)
    .execute()
  const sessions = jobs.reduce((sum, job) => sum + job.items, 0)
  return sessions === 0 ? null : rounded(jobs.reduce((sum, job) => sum + (job.duration_ms ?? 0), 0) / sessions)
}

async function searchLatency(store: Store): Promise<number | null> {
  const rows = await store.read.selectFrom('search_log').select('latency_ms').orderBy('id', 'desc').limit(RECENT_SEARCHES).execute()
  return rows.length === 0 ? null : rounded(rows.reduce((sum, row) => sum + row.latency_ms, 0) / rows.length)
}

async function searchesSince(store: Store, time: number): Promise<number> {
  const row = await store.read
    .selectFrom('search_log')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('created_at', '>=', time)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
