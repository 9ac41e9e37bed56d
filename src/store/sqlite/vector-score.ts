/** Exact cosines, computed by the engine from the stored vectors. A stored vector that is not of the model asked for is left out, never compared. */
import type { VectorConfig, VectorFilter, VectorHit } from '../vectors.ts'
import { isNarrow, vectorCondition } from './vector-filter.ts'
import type { Pause } from './vector-pause.ts'
import type { Prepare } from './vector-prepare.ts'

const BATCH = 250

/** A query that was checked: of length 1, with as many numbers as the model has dimensions. */
export interface Query {
  readonly config: VectorConfig
  readonly vector: Float32Array
  readonly blob: Buffer
}

/** Both have length 1: the distance between them says the cosine, and is faster to compute. */
const DISTANCE = 'vec_distance_L2(e.vector, @query)'
const OF_THE_MODEL = 'e.config_id = @config and length(e.vector) = @bytes'

function similarity(distance: number): number {
  return Math.max(-1, 1 - (distance * distance) / 2)
}

/** By number of vector. */
export async function scoreNumbers(
  prepare: Prepare,
  query: Query,
  { numbers, pause }: { numbers: readonly number[]; pause: Pause },
): Promise<Map<number, number>> {
  const statement = prepare(`select e.number, ${DISTANCE} from json_each(@keys) w cross join embeddings e on e.number = w.value
    where ${OF_THE_MODEL}`)
  return inBatches(numbers, pause, (keys) => statement.raw().all({ ...bound(query), keys }) as [number, number][])
}

/** By chunk. */
export async function scoreChunks(
  prepare: Prepare,
  query: Query,
  { ids, pause }: { ids: readonly number[]; pause: Pause },
): Promise<Map<number, number>> {
  const statement = prepare(`select c.id, ${DISTANCE} from json_each(@keys) w cross join chunks c on c.id = w.value
    cross join embeddings e on e.number = c.vector_number where ${OF_THE_MODEL}`)
  return inBatches(ids, pause, (keys) => statement.raw().all({ ...bound(query), keys }) as [number, number][])
}

/** The nearest of all chunks that pass: for so few that nothing faster is needed. */
export function scoreAll(prepare: Prepare, query: Query, { filter, limit }: { filter: VectorFilter; limit: number }): VectorHit[] {
  const { sql, params } = vectorCondition(filter)
  // Said, not left to the planner: it cannot know that few of the chunks have vectors, or that a session is short.
  const index = isNarrow(filter) ? 'idx_chunks_session' : 'idx_chunks_vector'
  const statement = prepare(`select c.id, ${DISTANCE} as distance from chunks c indexed by ${index}
    cross join embeddings e on e.number = c.vector_number
    where c.vector_number is not null and ${OF_THE_MODEL} and ${sql} order by distance, c.id limit @limit`)
  const rows = statement.raw().all({ ...params, ...bound(query), limit }) as [number, number][]
  return rows.map(([chunkId, distance]) => ({ chunkId, similarity: similarity(distance) }))
}

function bound({ config, blob }: Query): Record<string, unknown> {
  return { query: blob, config: config.id, bytes: blob.length }
}

async function inBatches(keys: readonly number[], pause: Pause, read: (json: string) => [number, number][]): Promise<Map<number, number>> {
  const scores = new Map<number, number>()
  for (let from = 0; from < keys.length; from += BATCH) {
    for (const [key, distance] of read(JSON.stringify(keys.slice(from, from + BATCH)))) scores.set(key, similarity(distance))
    await pause()
  }
  return scores
}
