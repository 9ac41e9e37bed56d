/** Baselines over the same units and vectors: grep, BM25, vectors, and two usual fusions. */
import { dist, type Home, type Unit } from './retrieval-home.ts'

type Plan = typeof import('../src/search/plan.ts')
type Stop = typeof import('../src/search/stop-words.ts')

export const BASELINES = ['grep', 'BM25', 'vectors', 'RRF', '0.7 / 0.3'] as const
export type Baseline = (typeof BASELINES)[number]

/** Usual RRF constant. */
const RRF_K = 60

export async function baselines(home: Home, query: string): Promise<Record<Baseline, Unit[]>> {
  const { units, store } = home
  const { planQuery } = await dist<Plan>('search/plan.js')
  const nobody = { known: async () => undefined, named: async () => undefined, names: async () => [] }
  const plan = await planQuery(query, store.lexical, nobody)
  const any = [...plan.all, ...plan.any, ...plan.common].map(({ term }) => term)
  const words = any.length === 0 ? [] : await store.lexical.search({ any }, {}, units.size)
  const near = await store.vectors.nearest(await home.embed(query), {}, units.size)
  const bm25 = words.map(({ chunkId }) => chunkId)
  const vectors = near.map(({ chunkId }) => chunkId)
  const best = words[0]?.score ?? 1
  const weighted = new Map(near.map(({ chunkId, similarity }) => [chunkId, 0.7 * similarity]))
  for (const { chunkId, score } of words) weighted.set(chunkId, (weighted.get(chunkId) ?? 0) + (0.3 * score) / best)
  const fused = new Map<number, number>()
  for (const list of [bm25, vectors]) {
    for (const [rank, id] of list.entries()) fused.set(id, (fused.get(id) ?? 0) + 1 / (RRF_K + rank + 1))
  }
  const listed = (ids: readonly number[]) => ids.flatMap((id) => units.get(id) ?? [])
  return {
    grep: await grep(home, query),
    BM25: listed(bm25),
    vectors: listed(vectors),
    RRF: listed(descending(fused)),
    '0.7 / 0.3': listed(descending(weighted)),
  }
}

function descending(scores: ReadonlyMap<number, number>): number[] {
  return [...scores].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).map(([id]) => id)
}

/** Question words anywhere in the unit. */
async function grep({ units }: Home, query: string): Promise<Unit[]> {
  const { isStopWord } = await dist<Stop>('search/stop-words.js')
  const words = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2 && !isStopWord(word))
  const counted = [...units.values()].map((unit) => {
    const text = unit.text.toLowerCase()
    return { unit, count: words.filter((word) => text.includes(word)).length }
  })
  return counted
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .map(({ unit }) => unit)
}
