/** Each count uses an index and reads no text. */
import { readCursor } from '../index/follow.ts'
import { sessionFeed } from '../index/session-feed.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

const BYTES_PER_NUMBER = 2

const TABLES: Partial<Record<keyof Tables, keyof Tables>> = { chunks: 'index_chunks', files: 'index_files', embeddings: 'vectors' }

export async function countRows(store: Store, table: keyof Tables): Promise<number> {
  const row = await store.read
    .selectFrom(TABLES[table] ?? table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Counts for the model being switched to, else the active one. */
export async function countChunks(store: Store, status: 'waiting' | 'failed'): Promise<number> {
  const coverage = await store.vectors.coverage()
  return (coverage.next ?? coverage)[status]
}

export async function countIndexStates(store: Store): Promise<Record<'complete' | 'partial' | 'failed', number>> {
  const rows = await store.read
    .selectFrom('index_state')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
  const counts = { complete: 0, partial: 0, failed: 0 }
  for (const row of rows) counts[row.status] = Number(row.count)
  return counts
}

/** With the sign bits of chunk vectors. */
export async function vectorBytes(store: Store): Promise<number> {
  const configs = await store.read.selectFrom('embedding_configs').select(['id', 'dimensions']).execute()
  const bytes = new Map(configs.map((config) => [config.id, config.dimensions * BYTES_PER_NUMBER]))
  const rows = await store.read
    .selectFrom('vectors as v')
    .innerJoin('index_words as w', 'w.number', 'v.config')
    .select((eb) => ['w.word as config_id', eb.fn.countAll<number>().as('count')])
    .groupBy('v.config')
    .execute()
  const others = await store.read
    .selectFrom('vector_owners as o')
    .innerJoin('vectors as v', 'v.number', 'o.number')
    .innerJoin('index_words as w', 'w.number', 'v.config')
    .select((eb) => ['w.word as config_id', eb.fn.countAll<number>().as('count')])
    .groupBy('v.config')
    .execute()
  const unsigned = new Map(others.map((row) => [row.config_id, Number(row.count)]))
  return rows.reduce((sum, row) => {
    const size = bytes.get(row.config_id) ?? 0
    const signs = size / (8 * BYTES_PER_NUMBER)
    return sum + Number(row.count) * (size + signs) - (unsigned.get(row.config_id) ?? 0) * signs
  }, 0)
}

/** 0 before the first run. */
export async function indexCursor(store: Store, agentId: string): Promise<number> {
  return (await readCursor({ store }, { feed: sessionFeed, scope: agentId })) ?? 0
}

/** With history beyond their agent's cursor. */
export async function waitingSessions(store: Store): Promise<number> {
  const agents = await store.read.selectFrom('agent_sessions').select('agent_id').distinct().execute()
  let waiting = 0
  for (const { agent_id } of agents) waiting += await waitingSessionsOf(store, agent_id)
  return waiting
}

export async function waitingSessionsOf(store: Store, agentId: string): Promise<number> {
  const { count } = await store.read
    .selectFrom('agent_session_history as h')
    .innerJoin('agent_sessions as s', 's.id', 'h.session_id')
    .select((eb) => eb.fn.count<number>('h.session_id').distinct().as('count'))
    .where('h.id', '>', await indexCursor(store, agentId))
    .where('s.agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
