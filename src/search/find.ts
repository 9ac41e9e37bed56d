import { given } from '../core/given.ts'
import type { Store } from '../store/store.ts'
import type { Candidate, Ranked, Ranking } from './candidate.ts'
import { withConfidence } from './confidence.ts'
import { type Gather, gather, narrowedTo, newestOf } from './gather.ts'
import type { Intent } from './intent.ts'
import { foldNearDuplicates, type Read, summariesBehind } from './near-duplicates.ts'
import type { Plan } from './plan.ts'
import { withoutCopiesOfTurns } from './published-hits.ts'
import type { QueryVector } from './query-vector.ts'
import { rank } from './rank.ts'
import type { Scope } from './scope.ts'
import type { StatedQuestion, TokenOrder } from './token-order.ts'

const LEAST_CANDIDATES = 200
const CANDIDATES_A_HIT = 5
/** Bounds the time. With more copies than this, the answer has fewer hits. */
const MOST_CANDIDATES = 10_000
const MORE_OF_SERIES = 4
/** Enough hits per phrasing after a series was folded: finding all takes too long. */
const FUSED_OF_SERIES = 30

export interface Phrasing {
  readonly plan: Plan
  readonly intent: Intent
  readonly embedded: QueryVector
}

export function isListing(plan: Plan, scope: Scope): boolean {
  return plan.empty && (scope.narrowed || (!scope.speaker && plan.person !== undefined))
}

interface FindingEach extends Omit<Finding, 'tokens'> {
  readonly store: Store
  readonly scope: Scope
  readonly exact: boolean
  readonly nearest: boolean
  readonly own: Gather['own']
  readonly signal: AbortSignal | undefined
  readonly wanted: number
}

interface FoundEach {
  readonly lists: readonly (readonly Ranked[])[]
  readonly all: readonly Ranked[]
  readonly hasWord: boolean
}

/** Without a matching word in any phrasing it finds nothing, unless `nearest` is set. */
export async function findEach(phrasings: readonly Phrasing[], asked: FindingEach): Promise<FoundEach> {
  const { store, scope, exact, nearest, own, signal, wanted, ...how } = asked
  const each: Found[] = []
  for (const { plan, intent, embedded } of phrasings) {
    // Yields, so that a cancellation can arrive.
    if (signal !== undefined) await (await import('node:timers/promises')).setImmediate()
    signal?.throwIfAborted()
    const { vector, tokens } = embedded
    const ranksOnly = embedded.ranksOnly || (!nearest && (exact || plan.all.length > 0))
    each.push(await find({ store, plan, intent, scope, vector, ranksOnly, own, most: 0, least: wanted }, { ...how, tokens }))
  }
  const hasWord = each.some((found) => found.hasWord)
  if (!hasWord && !nearest) return { lists: each.map(() => []), all: [], hasWord }
  return { lists: each.map(({ ranked }) => ranked), all: each.flatMap(({ all }) => all), hasWord }
}

/** Fuses the lists, and folds near-duplicates once among the first `limit`. */
export async function fused(
  store: Store,
  lists: readonly (readonly Ranked[])[],
  { limit, by, read, joins }: { readonly limit: number; readonly by: 'hit' | 'session'; readonly read: Read; readonly joins: boolean },
): Promise<readonly Ranked[]> {
  const [{ fuse }, { withRanks }] = await Promise.all([import('./fuse.ts'), import('./phrasings.ts')])
  const ranked = withRanks(fuse(lists), lists)
  const all = joins ? oneOfEachTurn(ranked) : ranked
  return foldNearDuplicates(store, await withoutCopiesOfTurns(store, { ranked: all, candidates: all }, limit), limit, by, read)
}

interface Found {
  readonly ranked: readonly Ranked[]
  readonly all: readonly Ranked[]
  readonly hasWord: boolean
}

interface Finding {
  readonly inspect?: ((ranking: Ranking) => void) | undefined
  readonly tokens: StatedQuestion | undefined
  readonly several: boolean
  readonly by: 'hit' | 'session'
  readonly byTime: boolean
  readonly read: Read
  /** Joins the chunks of a turn; false if the caller chooses the sentences. */
  readonly joins: boolean
}

/**
 * Fetches more candidates until enough remain after folding. Summaries move behind messages per phrasing: fused first, a summary found by
 * all would lead.
 */
async function find(search: Gather, { inspect, several, by, byTime, read, tokens, joins }: Finding): Promise<Found> {
  const { store, plan, scope, vector, least: limit } = search
  const person = scope.speaker ? undefined : plan.person
  const listing = isListing(plan, scope)
  if (!listing && plan.any.length + plan.all.length === 0 && (vector === undefined || plan.empty))
    return { ranked: [], all: [], hasWord: false }
  for (let most = several ? LEAST_CANDIDATES : Math.max(LEAST_CANDIDATES, CANDIDATES_A_HIT * limit); ; most *= 4) {
    if (listing) {
      const wanted = byTime ? MOST_CANDIDATES : most
      const newest = await newestOf(store, person ? narrowedTo(scope, person) : scope, wanted)
      // With more hits than these, the oldest ones are not the beginning.
      const found = byTime && closed(scope) && newest.length < wanted ? newest.toSorted(earlier) : newest
      const listed = inOrder(found)
      const ranked = await withoutCopiesOfTurns(
        store,
        { ranked: joins && !byTime ? oneOfEachTurn(listed) : listed, candidates: found },
        limit,
      )
      if (byTime || counted(ranked, by) >= limit || found.length < most)
        return { ranked: by === 'hit' ? ranked.slice(0, limit) : ranked, all: ranked, hasWord: true }
      continue
    }
    const found = await gather({ ...search, most })
    inspect?.(found)
    const byParts = rank(found)
    const byTokens = plan.all.length === 0 && !scope.speaker ? tokens : undefined
    const order = byTokens === undefined ? byParts : await tokenOrder(byParts, { store, ranking: found, question: byTokens })
    const own = await withoutCopiesOfTurns(store, { ranked: withConfidence(order, found), candidates: found.candidates }, limit)
    const hits = joins && !several ? oneOfEachTurn(own) : own
    const folded = await withoutOccurrences(hits, found.candidates)
    const ranked = several
      ? await summariesBehind(store, folded.slice(0, limit), read)
      : await foldNearDuplicates(store, folded, limit, by, read)
    const crowded = folded.length < hits.length
    const enough = crowded && several ? FUSED_OF_SERIES : limit
    if (counted(ranked, by) >= enough || !found.more || most >= MOST_CANDIDATES) return { ranked, all: own, hasWord: found.hasWord }
    // A series has hundreds of occurrences: the next hits are more of them.
    if (crowded) most = Math.min(most * MORE_OF_SERIES, MOST_CANDIDATES / 4)
  }
}

async function tokenOrder(hits: readonly Ranked[], order: TokenOrder): Promise<readonly Ranked[]> {
  const { inTokenOrder } = await import('./token-order.ts')
  return inTokenOrder(hits, order)
}

async function withoutOccurrences(ranked: readonly Ranked[], candidates: readonly Candidate[]): Promise<readonly Ranked[]> {
  if (candidates.every(({ unit }) => unit === undefined)) return ranked
  return (await import('./fold-series.ts')).foldSeries(ranked, candidates)
}

export function counted(ranked: readonly Ranked[], by: 'hit' | 'session'): number {
  return by === 'hit' ? ranked.length : new Set(ranked.map(({ group }) => group)).size
}

function closed({ filter: { after, before } }: Scope): boolean {
  return after !== undefined && before !== undefined
}

function earlier(a: Candidate, b: Candidate): number {
  return a.timestamp - b.timestamp || a.group.localeCompare(b.group) || a.chunkIndex - b.chunkIndex
}

function inOrder(found: readonly Candidate[]): Ranked[] {
  const once = new Map(found.map((candidate) => [candidate.contentHash, candidate] as const).toReversed())
  const kept = found.filter((candidate) => once.get(candidate.contentHash) === candidate)
  return kept.map(({ chunkId, group, unit, turn }, i) => ({
    ...{ chunkId, group, score: 1 - i / (kept.length + 1), parts: {}, matched: [] },
    ...given({ isConversation: unit === undefined ? undefined : true, turn }),
  }))
}

/** A chunk joins its turn's hit only among the first: later ones hardly matched. */
const JOINS_AMONG = 20
/** A turn may be as long as a book. */
const MOST_JOINED = 3

export function oneOfEachTurn(ranked: readonly Ranked[]): readonly Ranked[] {
  const best = new Map<string, number>()
  const hits: Ranked[] = []
  for (const [rank, hit] of ranked.entries()) {
    const at = hit.turn === undefined ? undefined : best.get(hit.turn)
    if (at === undefined) {
      if (hit.turn !== undefined) best.set(hit.turn, hits.length)
      hits.push(hit)
      continue
    }
    const { joined = [], ...first } = hits[at] as Ranked
    if (rank < JOINS_AMONG && joined.length < MOST_JOINED)
      hits[at] = { ...first, matched: [...new Set([...first.matched, ...hit.matched])], joined: [...joined, hit.chunkId] }
  }
  return hits.length === ranked.length ? ranked : hits
}
