/** Which hits help with a prompt, and how many: something is always best, and the rest of forty is not worth reading. Pure. */
import type { SearchResult } from '../../search/result.ts'

/** So many turns are given as they are ranked; each further one must have this share of the best hit's sureness. */
const AS_RANKED = 5
const SHARE = 0.5
const MOST = 12
/** Where a line of what is known answers already, fewer help, and only those that speak of just that. */
const BESIDE_ANSWER = { asRanked: 0, share: 0.6, most: 5 } as const
/** A hit below says nothing of what was asked, however few others there are: in a small memory all turns are near to any question. */
const NOTHING = 0.05
/** The best of the first so many: the very first may be there for another reason than its words. */
const FIRST = 3
/** Sure enough to speak where nobody asked for what was; in the project of the folder less is enough. */
const SURE = 0.6
const LIKELY = 0.4

interface Circumstances {
  readonly isAnswered: boolean
  /** Gets what is left out. */
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

/** How much of the question it holds by words and by meaning; undefined of tool work, which is found by exact words alone. */
function surenessOf({ explain }: SearchResult): number | undefined {
  return explain?.sure
}
