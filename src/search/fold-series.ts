/** Keeps one occurrence per series of meetings: hundreds of the same would fill the answer. */
import type { Candidate, Ranked } from './candidate.ts'

/** An occurrence that matches other words stays. */
export function foldSeries(ranked: readonly Ranked[], candidates: readonly Candidate[]): readonly Ranked[] {
  const occurrences = new Set(candidates.filter(isOccurrence).map(({ chunkId }) => chunkId))
  if (occurrences.size < 2) return ranked
  const seen = new Set<string>()
  return ranked.filter(({ chunkId, group, matched }) => {
    if (!occurrences.has(chunkId)) return true
    const key = JSON.stringify([group, matched.toSorted()])
    return !seen.has(key) && seen.add(key)
  })
}

/** A meeting outside a series is its own group. */
function isOccurrence({ unit, group }: Candidate): boolean {
  return unit !== undefined && unit !== group && unit.startsWith('events/calendar/')
}
