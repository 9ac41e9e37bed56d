/** Nearest neighbours on the read-only connection: exact among few chunks; among many, sign bits in memory choose which to compare exactly. */
import type Database from 'better-sqlite3'
import type { VectorConfig, VectorHit, Vectors } from '../../vectors.ts'
import { registerConditionFunctions } from '../chunk-condition.ts'
import { type Prepare, preparedOnce } from '../statements.ts'
import { unitVector } from './blob.ts'
import { type CandidateSearch, candidates } from './candidates.ts'
import { ACTIVE, configReader, SHADOW } from './config.ts'
import { vectorCoverage } from './coverage.ts'
import { isNarrow, passingOf } from './filter.ts'
import { type VectorMirror, vectorMirror } from './mirror.ts'
import { pauses } from './pause.ts'
import { type Query, scoreAll, scoreChunks, scoreNumbers } from './score.ts'
import type { SignBitsMemory } from './sign-bits-memory.ts'
import { waitingChunks } from './waiting.ts'

export interface VectorTuning {
  /** Among so many chunks every one is compared exactly. */
  readonly exactMost?: number
  /** Among so many in the first search; `exactMost` where only that is given. */
  readonly exactAtFirst?: number
}

/** Comparing so many takes about as long as both passes over the bits of a hundred thousand. */
const EXACT_MOST = 2000
/** Among so many chunks the first search of a process is exact: it is done before the bits would be loaded, and there may be no second. */
const EXACT_AT_FIRST = 20_000

interface Search extends CandidateSearch {
  readonly mirror: VectorMirror
}

export function vectorSearch(db: Database.Database, tuning: VectorTuning = {}): Vectors {
  const { exactMost = EXACT_MOST, exactAtFirst = tuning.exactMost ?? EXACT_AT_FIRST } = tuning
  registerConditionFunctions(db)
  const prepare = preparedOnce(db)
  const mirror = vectorMirror(db)
  const config = configReader(db)
  const coverage = vectorCoverage(prepare)
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
      return nearestOfMany({ prepare, mirror, query, filter, limit, exactMost, pause: pauses() })
    },
    async similarities(vector, chunkIds) {
      const active = config(ACTIVE)
      if (active === undefined) return new Map()
      return scoreChunks(prepare, queryOf(vector, active), { ids: chunkIds, pause: pauses() })
    },
    waiting: async (limit, options) => waitingChunks(prepare, { ...options, limit, shadow: config(SHADOW) !== undefined }),
    memory: () => mirror.size(),
  }
}

function hasAtMost(prepare: Prepare, chunks: number): boolean {
  const counted = prepare('select count(*) from (select 1 from chunk_signs limit ?)').pluck()
  return (counted.get(chunks + 1) as number) <= chunks
}

async function nearestOfMany(search: Search): Promise<VectorHit[]> {
  const { mirror, query } = search
  const first = await attempt(search, await mirror.of(query.config))
  // A chunk may change or be removed between reading its bits and its row. The chunk that has its id then is found in the second attempt.
  return first.lost && first.hits.length < search.limit ? (await attempt(search, await mirror.of(query.config))).hits : first.hits
}

async function attempt(search: Search, memory: SignBitsMemory): Promise<{ hits: VectorHit[]; lost: boolean }> {
  const { prepare, query, filter, limit, pause } = search
  const ids = (await candidates(search, memory)).filter((id) => memory.numberOf(id) > 0)
  const scores = await scoreNumbers(prepare, query, { numbers: numbersOf(memory, ids), pause })
  const scored = ids.flatMap((chunkId) => {
    const similarity = scores.get(memory.numberOf(chunkId))
    return similarity === undefined ? [] : [{ chunkId, similarity }]
  })
  scored.sort((a, b) => b.similarity - a.similarity || a.chunkId - b.chunkId)
  const hits: VectorHit[] = []
  let at = 0
  for (; at < scored.length && hits.length < limit; at += limit) {
    const page = scored.slice(at, at + limit)
    const passed = passingOf(prepare, filter, page.map(chunkOf))
    const real = new Set(unchanged(prepare, memory, passed))
    hits.push(...page.filter(({ chunkId }) => real.has(chunkId)))
  }
  return { hits: hits.slice(0, limit), lost: hits.length < Math.min(at, scored.length) || scored.length < ids.length }
}

const chunkOf = ({ chunkId }: VectorHit) => chunkId

/** In order, so that those on one page are read together. */
function numbersOf(memory: SignBitsMemory, ids: readonly number[]): number[] {
  return [...new Set(ids.map((id) => memory.numberOf(id)))].sort((a, b) => a - b)
}

/** Those that still have the vector that they were judged by. */
function unchanged(prepare: Prepare, memory: SignBitsMemory, ids: readonly number[]): number[] {
  const number = prepare('select vector_number from index_chunks where id = ?').pluck()
  return ids.filter((id) => number.get(id) === memory.numberOf(id))
}
