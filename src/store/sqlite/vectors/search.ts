/** Exact search among few chunks; among many, in-memory sign bits preselect. */
import type Database from 'better-sqlite3'
import type { VectorConfig, Vectors } from '../../vectors.ts'
import { registerConditionFunctions } from '../chunk-condition.ts'
import { type Prepare, preparedOnce } from '../statements.ts'
import { blobVector, unitVector } from './blob.ts'
import { ACTIVE, configReader, SHADOW } from './config.ts'
import { vectorCoverage } from './coverage.ts'
import { isNarrow } from './filter.ts'
import type { VectorMirror } from './mirror.ts'
import { pauses } from './pause.ts'
import { type Query, scoreAll, scoreChunks } from './score.ts'

export interface VectorTuning {
  readonly exactMost?: number
  readonly exactAtFirst?: number
}

/** About as fast as both passes over 100,000 sign rows. */
const EXACT_MOST = 2000
/** The first search is exact up to here: it beats loading the bits, and the process may never search again. */
const EXACT_AT_FIRST = 20_000

export function vectorSearch(db: Database.Database, tuning: VectorTuning = {}): Vectors {
  const { exactMost = EXACT_MOST, exactAtFirst = tuning.exactMost ?? EXACT_AT_FIRST } = tuning
  registerConditionFunctions(db)
  const prepare = preparedOnce(db)
  let mirror: VectorMirror | undefined
  const config = configReader(db)
  const coverage = vectorCoverage(prepare)
  /** Lazy: only single queries and embedding use it. */
  const bits = async () => (await import('./token-bits.ts')).tokenBits(prepare)
  let searches = 0
  const queryOf = (vector: Float32Array, of: VectorConfig): Query => {
    return { config: of, vector: unitVector(vector, of) }
  }

  return {
    async active() {
      const active = config(ACTIVE)
      const next = config(SHADOW)
      return active && next ? { ...active, next } : active
    },
    coverage: async () => coverage(config(SHADOW) !== undefined),
    async nearest(vector, filter, limit) {
      const active = config(ACTIVE)
      if (active === undefined || limit < 1) return []
      const query = queryOf(vector, active)
      const most = searches++ === 0 ? Math.max(exactMost, exactAtFirst) : exactMost
      if (isNarrow(filter) || hasAtMost(prepare, most)) return scoreAll(prepare, query, { filter, limit })
      const [{ vectorMirror }, { nearestOfMany }] = await Promise.all([import('./mirror.ts'), import('./nearest-of-many.ts')])
      mirror ??= vectorMirror(db)
      return nearestOfMany({ prepare, mirror, query, filter, limit, exactMost, pause: pauses() })
    },
    async similarities(vector, chunkIds) {
      const active = config(ACTIVE)
      if (active === undefined) return new Map()
      return scoreChunks(prepare, queryOf(vector, active), { ids: chunkIds, pause: pauses() })
    },
    async similarEntities(vector, ids) {
      const active = config(ACTIVE)
      if (active === undefined || ids.length === 0) return new Map()
      const query = unitVector(vector, active)
      const rows =
        prepare(`select o.owner_id, v.vector from json_each(?) w cross join vector_owners o on o.owner_type = 'entity' and o.owner_id = w.value
        cross join vectors v on v.number = o.number and v.config = (select number from index_words where word = ?)`)
      const found = rows.raw().all(JSON.stringify(ids), active.id) as [string, Buffer][]
      return new Map(found.map(([id, blob]) => [id, blobVector(blob).reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0)]))
    },
    async waiting(limit, options) {
      const { waitingChunks } = await import('./waiting.ts')
      return waitingChunks(prepare, { ...options, limit, shadow: config(SHADOW) !== undefined })
    },
    tokenBits: {
      any: async () => (await bits()).any(),
      of: async (ids, dimensions) => (await bits()).of(ids, dimensions),
      coverage: async () => (await bits()).coverage(),
      waiting: async (limit) => (await bits()).waiting(limit),
    },
    memory: () => mirror?.size() ?? 0,
  }
}

function hasAtMost(prepare: Prepare, chunks: number): boolean {
  const counted = prepare('select count(*) from (select 1 from chunk_signs limit ?)').pluck()
  return (counted.get(chunks + 1) as number) <= chunks
}
