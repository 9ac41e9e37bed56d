import type { VectorConfig, VectorFilter, VectorHit } from '../../vectors.ts'
import type { Prepare } from '../statements.ts'
import { BYTES_PER_NUMBER } from './blob.ts'
import { isNarrow, vectorCondition } from './filter.ts'
import { float16Table } from './float16.ts'
import type { Pause } from './pause.ts'

const BATCH = 250

/** Validated: unit length and the model's dimensions. */
export interface Query {
  readonly config: VectorConfig
  readonly vector: Float32Array
}

const OF_THE_MODEL = 'v.config = (select number from index_words where word = @config) and length(v.vector) = @bytes'

type Stored = [key: number, vector: Buffer]

/** Both must have unit length. */
function cosine(query: Float32Array, stored: Buffer): number {
  const halves = float16Table()
  let sum = 0
  for (let i = 0, at = 0; i < query.length; i++, at += 2) {
    sum += (query[i] as number) * (halves[(stored[at] as number) | ((stored[at + 1] as number) << 8)] as number)
  }
  return Math.max(-1, Math.min(1, sum))
}

export async function scoreNumbers(
  prepare: Prepare,
  query: Query,
  { numbers, pause }: { numbers: readonly number[]; pause: Pause },
): Promise<Map<number, number>> {
  const statement = prepare(`select v.number, v.vector from json_each(@keys) w cross join vectors v on v.number = w.value
    where ${OF_THE_MODEL}`)
  return inBatches(query, { keys: numbers, pause, read: (keys) => statement.raw().all({ ...bound(query), keys }) as Stored[] })
}

export async function scoreChunks(
  prepare: Prepare,
  query: Query,
  { ids, pause }: { ids: readonly number[]; pause: Pause },
): Promise<Map<number, number>> {
  const statement = prepare(`select c.id, v.vector from json_each(@keys) w cross join index_chunks c on c.id = w.value
    cross join vectors v on v.number = c.vector_number where ${OF_THE_MODEL}`)
  return inBatches(query, { keys: ids, pause, read: (keys) => statement.raw().all({ ...bound(query), keys }) as Stored[] })
}

export function scoreAll(prepare: Prepare, query: Query, { filter, limit }: { filter: VectorFilter; limit: number }): VectorHit[] {
  const { sql, params } = vectorCondition(filter)
  // Fixed index: the planner cannot know that few chunks have vectors or that a session is short.
  const index = isNarrow(filter) ? 'idx_index_chunks_session' : 'idx_index_chunks_vector'
  const statement = prepare(`select c.id, v.vector from index_chunks c indexed by ${index}
    cross join vectors v on v.number = c.vector_number
    where c.vector_number is not null and ${OF_THE_MODEL} and ${sql}`)
  const hits: VectorHit[] = []
  for (const [chunkId, vector] of statement.raw().iterate({ ...params, ...bound(query) }) as Iterable<Stored>) {
    hits.push({ chunkId, similarity: cosine(query.vector, vector) })
  }
  return hits.sort((a, b) => b.similarity - a.similarity || a.chunkId - b.chunkId).slice(0, limit)
}

function bound({ config }: Query): Record<string, unknown> {
  return { config: config.id, bytes: config.dimensions * BYTES_PER_NUMBER }
}

interface Batches {
  readonly keys: readonly number[]
  readonly pause: Pause
  readonly read: (json: string) => Stored[]
}

async function inBatches({ vector }: Query, { keys, pause, read }: Batches): Promise<Map<number, number>> {
  const scores = new Map<number, number>()
  for (let from = 0; from < keys.length; from += BATCH) {
    for (const [key, stored] of read(JSON.stringify(keys.slice(from, from + BATCH)))) scores.set(key, cosine(vector, stored))
    await pause()
  }
  return scores
}
