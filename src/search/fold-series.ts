/** Of a series of meetings one occurrence answers: hundreds that say the same would leave no room for anything else. Pure. */
import type { Candidate, Ranked } from './candidate.ts'

/** The best occurrence of each series; another one stays where it holds other words of the question. Everything else as it is. */
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

/** A meeting outside of a series is its own group. */
function isOccurrence({ unit, group }: Candidate): boolean {
  return unit !== undefined && unit !== group && unit.startsWith('events/calendar/')
}
