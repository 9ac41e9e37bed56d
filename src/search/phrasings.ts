import type { Ranked } from './candidate.ts'
import type { PhrasingReport } from './result.ts'

type Lists = readonly (readonly Ranked[])[]

export function withRanks(fused: readonly Ranked[], lists: Lists): Ranked[] {
  const ranks = lists.map((list) => new Map(list.map(({ chunkId }, i) => [chunkId, i + 1])))
  return fused.map((hit) => {
    const found = ranks.flatMap((ranked, phrasing) => {
      const rank = ranked.get(hit.chunkId)
      return rank === undefined ? [] : [{ phrasing, rank }]
    })
    return { ...hit, foundBy: found.map(({ phrasing }) => phrasing), foundAt: found.map(({ rank }) => rank) }
  })
}

export function phrasingReports(queries: readonly string[], lists: Lists, shown: readonly Ranked[]): PhrasingReport[] {
  return queries.map((query, i) => {
    const hits = shown.filter(({ foundBy = [] }) => foundBy.includes(i))
    const only = hits.filter(({ foundBy = [] }) => foundBy.length === 1)
    return { query, found: lists[i]?.length ?? 0, hits: hits.length, only: only.length }
  })
}
