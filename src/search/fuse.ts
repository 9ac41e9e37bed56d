/** One order from the answers to several phrasings of a question: what many of them find near the top comes first. Pure. */
import type { Ranked } from './candidate.ts'

/**
 * How slowly a rank loses worth: with 10 the first hit of one phrasing is worth as much as the 11th of two. The usual 60, where the
 * first of one is worth no more than the sixty-first of two, puts what all phrasings find somewhere before what one of them finds first.
 */
export const SLOWNESS = 10

/** Best first, each chunk once. The score is that of the phrasing that found it best. */
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
  // A score falls with rank: what the best phrasing says of a hit may be more than it says of the one before.
  let least = 1
  return order.map(({ best, foundBy, matched }) => {
    least = Math.min(least, best.score)
    return { ...best, score: least, matched: [...matched], foundBy }
  })
}
