/** Counting queries that stay fast on a million rows: each is answered by an index, none reads a text. */
import { sql } from 'kysely'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

const BYTES_PER_NUMBER = 4

export async function countRows(store: Store, table: keyof Tables): Promise<number> {
  const row = await store.read
    .selectFrom(table)
    .select((is) => is.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Chunks that are still to be embedded, or could not be. */
export async function countChunks(store: Store, status: 'waiting' | 'failed'): Promise<number> {
  const row = await store.read
    .selectFrom('chunks')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('embed_status', '=', status)
    // Says no more than the line above, but in the words of the partial index, which serves only then.
    .where('embed_status', '<>', sql.lit('done'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function countIndexStates(store: Store): Promise<Record<'complete' | 'partial' | 'failed', number>> {
  const rows = await store.read
    .selectFrom('index_state')
    .select((is) => ['status', is.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
  const counts = { complete: 0, partial: 0, failed: 0 }
  for (const row of rows) counts[row.status] = Number(row.count)
  return counts
}

/** The bytes of all vectors: themselves, and the sign bits over those of chunks. */
export async function vectorBytes(store: Store): Promise<number> {
  const configs = await store.read.selectFrom('embedding_configs').select(['id', 'dimensions']).execute()
  const bytes = new Map(configs.map((config) => [config.id, config.dimensions * BYTES_PER_NUMBER]))
  const rows = await store.read
    .selectFrom('embeddings')
    .select((is) => ['config_id', 'owner_type', is.fn.countAll<number>().as('count')])
    .groupBy(['config_id', 'owner_type'])
    .execute()
  return rows.reduce((sum, row) => {
    const size = bytes.get(row.config_id) ?? 0
    const signs = row.owner_type === 'chunk' ? size / (8 * BYTES_PER_NUMBER) : 0
    return sum + Number(row.count) * (size + signs)
  }, 0)
}
