/** Reciprocal rank fusion of the lists of several phrasings. */
import type { Ranked } from './candidate.ts'

/** With 10, one first place equals two eleventh places. With the usual 60, a hit common to all phrasings beats the best hit of one. */
export const SLOWNESS = 10

export function fuse(lists: readonly (readonly Ranked[])[], slowness: number = SLOWNESS): Ranked[] {
  const [only, ...others] = lists
  if (only !== undefined && others.length === 0) return [...only]
  const fused = new Map<number, { worth: number; best: Ranked; foundBy: number[]; matched: Set<string> }>()
  for (const [phrasing, list] of lists.entries()) {
    for (const [rank, hit] of list.entries()) {
      const known = fused.get(hit.chunkId) ?? { worth: 0, best: hit, foundBy: [], matched: new Set<string>() }
      known.worth += 1 / (slowness + rank)
      known.foundBy.push(phrasing)
      for (const word of hit.matched) known.matched.add(word)
      if (hit.score > known.best.score) known.best = hit
      fused.set(hit.chunkId, known)
    }
  }
  const order = [...fused.values()].sort((a, b) => b.worth - a.worth || b.best.score - a.best.score)
  // Fused order may differ from score order: scores must still fall.
  let least = 1
  return order.map(({ best, foundBy, matched }) => {
    least = Math.min(least, best.score)
    return { ...best, score: least, matched: [...matched], foundBy }
  })
}
