/** Selects the hits that help. A search always has a best hit, and most of forty are not worth reading. */
import type { SearchResult } from '../../search/result.ts'

/** This many are taken as ranked; further ones need `SHARE` of the best sureness. */
const AS_RANKED = 5
const SHARE = 0.5
const MOST = 12
/** Stricter limits if a known fact already answers. */
const BESIDE_ANSWER = { asRanked: 0, share: 0.6, most: 5 } as const
/** Below this, a hit is unrelated: in a small memory, all turns are near to any question. */
const NOTHING = 0.05
const FIRST = 3
/** Thresholds if the prompt does not ask about the past; `LIKELY` applies within the folder's project. */
const SURE = 0.6
const LIKELY = 0.4

interface Circumstances {
  readonly isAnswered: boolean
  readonly left: { citation: string; why: string }[]
}

export function helpful(hits: readonly SearchResult[], { isAnswered, left }: Circumstances): SearchResult[] {
  const { asRanked, share, most } = isAnswered ? BESIDE_ANSWER : { asRanked: AS_RANKED, share: SHARE, most: MOST }
  const least = best(hits) * share
  const kept: SearchResult[] = []
  const turns = new Set<string>()
  for (const hit of hits) {
    const isNew = !turns.has(hit.id)
    const sureness = surenessOf(hit) ?? 1
    const isWeak = (turns.size > 0 && sureness < NOTHING) || ((!isNew || turns.size >= asRanked) && sureness < least)
    const why = isWeak ? 'it says much less of what was asked than the best' : isNew && turns.size >= most ? 'enough is said' : undefined
    if (why !== undefined) {
      left.push({ citation: hit.id, why })
      continue
    }
    turns.add(hit.id)
    kept.push(hit)
  }
  return kept
}

export function isSure(hits: readonly SearchResult[]): boolean {
  return best(hits) >= SURE
}

export function isLikely(hits: readonly SearchResult[]): boolean {
  return best(hits) >= LIKELY
}

function best(hits: readonly SearchResult[]): number {
  return Math.max(0, ...hits.slice(0, FIRST).map((hit) => surenessOf(hit) ?? 0))
}

function surenessOf({ explain }: SearchResult): number | undefined {
  return explain?.sure
}
