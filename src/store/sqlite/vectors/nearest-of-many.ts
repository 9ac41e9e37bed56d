import type { VectorHit } from '../../vectors.ts'
import type { Prepare } from '../statements.ts'
import { type CandidateSearch, candidates } from './candidates.ts'
import { passingOf } from './filter.ts'
import type { VectorMirror } from './mirror.ts'
import { scoreNumbers } from './score.ts'
import type { SignBitsMemory } from './sign-bits-memory.ts'

interface Search extends CandidateSearch {
  readonly mirror: VectorMirror
}

export async function nearestOfMany(search: Search): Promise<VectorHit[]> {
  const { mirror, query } = search
  const first = await attempt(search, await mirror.of(query.config))
  // A chunk may change between reading its bits and its row; one retry finds its successor.
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

/** Sorted, so that rows on one page are read together. */
function numbersOf(memory: SignBitsMemory, ids: readonly number[]): number[] {
  return [...new Set(ids.map((id) => memory.numberOf(id)))].sort((a, b) => a - b)
}

function unchanged(prepare: Prepare, memory: SignBitsMemory, ids: readonly number[]): number[] {
  const number = prepare('select vector_number from index_chunks where id = ?').pluck()
  return ids.filter((id) => number.get(id) === memory.numberOf(id))
}
