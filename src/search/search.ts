/** A search from the request to the answer: plan, candidates, rank, present. Reads only; the one thing it writes is the log. */
import type { Clock } from '../core/clock.ts'
import { given } from '../core/given.ts'
import { isoOrNull, toIso } from '../core/time.ts'
import type { ProjectScope } from '../store/lexical.ts'
import type { SearchNote } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import type { Candidate, Ranked, Ranking } from './candidate.ts'
import { checkRequest } from './check-request.ts'
import { withConfidence } from './confidence.ts'
import { corrected } from './correct.ts'
import { type Gather, gather, narrowedTo, newestOf } from './gather.ts'
import { bestOfEach, groupsOf } from './groups.ts'
import { type Intent, intentOf } from './intent.ts'
import { foldNearDuplicates, type Read, summariesBehind } from './near-duplicates.ts'
import { type Owner, people } from './person.ts'
import { type Plan, planQuery } from './plan.ts'
import { present } from './present.ts'
import { withoutCopiesOfTurns } from './published-hits.ts'
import { type QueryEmbedder, type QueryVector, queryVectors, wordsOnly } from './query-vector.ts'
import { rank } from './rank.ts'
import type { Correction, SearchAnswer, SearchGroup, SearchRequest, SearchResult } from './result.ts'
import { type Scope, scopeOf, within } from './scope.ts'
import { searchLog } from './search-log.ts'
import { soughtIn } from './sought.ts'
import { type TimeAlone, timeAlone } from './time-alone.ts'
import type { StatedQuestion, TokenOrder } from './token-order.ts'
import { zoneOf } from './when-span.ts'
import { onlyWork, withWork } from './work/work.ts'

const LEAST_CANDIDATES = 200
const CANDIDATES_A_HIT = 5
/** Where there are more copies than this, the answer has fewer hits: going on would take too long. */
const MOST_CANDIDATES = 10_000
/** Where it is occurrences of a series that crowd them, the next look goes so many times further. */
const MORE_OF_SERIES = 4
/** There is nothing to be near to. */
const LISTING: QueryVector = { vector: undefined, realized: 'lexical: a time alone is listed' }
/** So many hits of each phrasing are fused. */
const FUSED = 100
/** Where a series of meetings was folded: looking for all the others once for each phrasing would take too long. */
const FUSED_OF_SERIES = 30

export interface SearcherOptions extends QueryEmbedder {
  readonly store: Store
  readonly clock: Clock
  readonly owner: Owner
  /** The persona whose memory is searched, unless a request names another. */
  readonly agentId: string
  /** Only what is of this project, whatever a request names. */
  readonly project?: ProjectScope | undefined
  /** False: nothing is counted. Whoever asked did not ask for a search. */
  readonly counts?: boolean
  /**
   * Hits alone, for the words as they are typed: no look for what was meant by a strange one, no excerpts of what was said, nothing of what
   * stands around them, no discussions. For who is in a hurry and chooses the sentences.
   */
  readonly bare?: boolean
  /** Called with the candidates before they are ranked: the benchmark fits the weights with it. */
  readonly inspect?: ((ranking: Ranking) => void) | undefined
}

export interface Searcher {
  search(request: SearchRequest): Promise<SearchAnswer>
  /** Waits for the notes in search_log; call it before the store is closed. */
  flush(): Promise<void>
}

export function searcher(options: SearcherOptions): Searcher {
  const { store, clock, owner, agentId } = options
  const log = searchLog(store)
  return {
    flush: log.flush,
    async search(request) {
      const started = performance.now()
      const { queries: asked, filters, limit, explain, by, exact, preferProject: folder, signal } = checkRequest(request)
      const everybody = people(store, owner)
      const filtered = inProject(await scopeOf(filters, { store, clock, owner, people: everybody, agentId }), options.project)
      const day = exact || asked.length > 1 ? undefined : timeAlone(asked[0] as string, zoneOf(owner, clock()))
      const scope = day === undefined ? filtered : within(filtered, day)
      const asTyped = exact || options.bare
      const meant = asTyped || day ? [] : await Promise.all(asked.map((query) => corrected(query, { index: store, people: everybody })))
      const sure = day ? [day.rest] : asTyped ? asked : meant.map(({ query }) => query)
      // A filter that only tool calls can pass leaves nothing for speech to find.
      const queries = onlyWork(filters) ? [] : sure
      const intents: Intent[] = []
      for (const query of queries) intents.push(await intentOf(query, { store, people: everybody, owner, scope, now: clock() }))
      const embedding = day ? [LISTING] : queryVectors(store, intents, options) // in its own thread, while the words are looked up
      const plans: Plan[] = []
      for (const query of queries) plans.push(await planQuery(query, store.lexical, everybody))
      const vectors = await embedding
      const phrasings = plans.map((plan, i) => ({ plan, intent: intents[i] as Intent, embedded: vectors[i] as QueryVector }))
      const several = phrasings.length > 1
      const wanted = several || folder !== undefined ? Math.max(limit, FUSED) : limit
      const lists: (readonly Ranked[])[] = []
      const all: Ranked[] = []
      const read: Read = new Map()
      for (const { plan, intent, embedded } of phrasings) {
        // A server hears that the question was taken back only when nothing runs.
        if (signal !== undefined) await (await import('node:timers/promises')).setImmediate()
        signal?.throwIfAborted()
        const { vector, ranksOnly, tokens } = embedded
        const search = { store, plan, intent, scope, vector, ranksOnly, most: 0, least: wanted }
        const how = { several, by: several ? ('hit' as const) : by, byTime: day !== undefined, read, tokens }
        const found = await find(search, { ...how, inspect: options.inspect })
        lists.push(found.ranked)
        all.push(...found.all)
      }
      const found = several ? await fused(store, lists, { limit: folder === undefined ? limit : wanted, by, read }) : (lists[0] ?? [])
      const ranked = folder === undefined || day ? found : await (await import('./prefer-project.ts')).preferProject(store, found, folder)
      const shown = by === 'session' ? bestOfEach(ranked, limit) : ranked.slice(0, limit)
      if (shown.length === 0 || (filters.topics ?? []).length > 1) {
        const { refuseUnknown } = await import('./known-values.ts')
        await refuseUnknown(filters, { store, people: everybody, agentId: scope.filter.agentId })
      }
      const notes = Object.assign({}, ...phrasings.map(({ plan }) => plan.notes)) as Record<string, number>
      const sought = soughtIn(phrasings.map(({ plan }) => plan))
      const { results: presented, conversations } = await present(store, shown, {
        ...{ explain, branches: filters.branches ?? false, notes, sought, owner, bare: options.bare },
      })
      const replaced = await store.rows.replaced(
        presented.flatMap(({ turn_id, message_ids }) => (turn_id === '' ? message_ids : [turn_id])),
      )
      const said =
        replaced.length === 0 ? presented : await (await import('./what-holds.ts')).withWhatHolds(store, presented, { replaced, asked })
      const {
        results,
        groups: worked,
        more,
      } = await withWork({ store, queries: day ? [''] : sure, filters, scope, limit, by, explain }, said)
      const mode = modeOf(phrasings, scope, options)
      const note = {
        agent_id: filters.agent ?? agentId,
        mode: mode.hybrid ? 'hybrid' : 'lexical',
        hits: results.length,
        latency_ms: performance.now() - started,
        created_at: clock(),
        returned: returnedBy(results),
      }
      if (options.counts !== false) log.add(note)
      const last_sync = isoOrNull((await store.rows.lastDone('sync')) ?? null)
      const grouped = groupsOf(results, { shown, all, work: worked, conversations })
      const groups = options.bare ? grouped : await withDiscussions(store, grouped, { results, agentId: filters.agent ?? agentId })
      const corrections = distinctCorrections(meant.flatMap((one) => one.corrections))
      return {
        ...{ query: asked[0] as string, queries: asked, mode: mode.answer, last_sync },
        ...{ matched: matchedBy(results, phrasings, scope), corrections, results, groups, more },
        ...(day && !onlyWork(filters) ? { listed: listedOf(day, all) } : {}),
        ...(explain && several ? { phrasings: (await import('./phrasings.ts')).phrasingReports(asked, lists, shown) } : {}),
      }
    },
  }
}

function inProject(scope: Scope, project: ProjectScope | undefined): Scope {
  return project === undefined ? scope : { ...scope, narrowed: true, filter: { ...scope.filter, project } }
}

/** Turns and episodes, each once; a document is its owner's own. */
function returnedBy(results: readonly SearchResult[]): SearchNote['returned'] {
  const found = new Map<string, SearchNote['returned'][number]>()
  for (const { turn_id: turn, path } of results) {
    const episode = /^events\/[^/]+\/([0-9a-f]{32})\.md$/.exec(path)?.[1]
    if (turn !== '') found.set(turn, { kind: 'turn', id: turn })
    else if (episode !== undefined) found.set(episode, { kind: 'episode', id: episode })
  }
  return [...found.values()]
}

/** So many of the first groups say which discussion they belong to: each costs a query. */
const MOST_NOTED = 5

async function withDiscussions(
  store: Store,
  groups: SearchGroup[],
  { results, agentId }: { readonly results: readonly SearchResult[]; readonly agentId: string },
): Promise<SearchGroup[]> {
  const unitOf = ({ session_id, hits }: SearchGroup) => session_id || (results[hits[0] ?? 0]?.path ?? '')
  const some = groups
    .slice(0, MOST_NOTED)
    .map(unitOf)
    .filter((unit) => unit !== '')
  if (some.length === 0) return groups
  const notes = await (await import('../analyze/discussions/note.ts')).discussionsOf(store, some, agentId)
  return groups.map((group) => ({ ...group, discussion: notes.get(unitOf(group)) ?? null }))
}

/** One way of asking the question. */
interface Phrasing {
  readonly plan: Plan
  readonly intent: Intent
  readonly embedded: QueryVector
}

function listedOf({ from, to, days }: TimeAlone, all: readonly Ranked[]): NonNullable<SearchAnswer['listed']> {
  const iso = (at: number) => (Number.isFinite(at) ? toIso(at) : null)
  const [talks, others] = [all.filter(({ isConversation }) => isConversation), all.filter(({ isConversation }) => !isConversation)]
  const counts = { hits: all.length, sessions: counted(others, 'session'), conversations: counted(talks, 'session') }
  return { days, from: iso(from), to: iso(to), ...counts }
}

/** What the results rest on: see SearchAnswer. */
function matchedBy(results: readonly SearchResult[], phrasings: readonly Phrasing[], scope: Scope): SearchAnswer['matched'] {
  if (results.length === 0) return 'none'
  if (results.some(({ matched }) => matched.length > 0)) return 'words'
  // Without a phrasing only tool calls were looked for; one that was found by a word has it among `matched`.
  if (phrasings.length === 0 || phrasings.some(({ plan }) => isListing(plan, scope))) return 'listed'
  return phrasings.some(({ embedded }) => embedded.vector !== undefined) ? 'meaning' : 'none'
}

/** There is no word to look for, but something else narrows it: the newest of that. */
function isListing(plan: Plan, scope: Scope): boolean {
  return plan.empty && (scope.narrowed || (!scope.speaker && plan.person !== undefined))
}

function distinctCorrections(all: readonly Correction[]): Correction[] {
  return [...new Map(all.map((one) => [one.typed, one])).values()]
}

/** One list from those of all phrasings. What says the same is folded here, once for all of them, among the first `limit`. */
async function fused(
  store: Store,
  lists: readonly (readonly Ranked[])[],
  { limit, by, read }: { readonly limit: number; readonly by: 'hit' | 'session'; readonly read: Read },
): Promise<readonly Ranked[]> {
  const [{ fuse }, { withRanks }] = await Promise.all([import('./fuse.ts'), import('./phrasings.ts')])
  const all = withRanks(fuse(lists), lists)
  return foldNearDuplicates(store, await withoutCopiesOfTurns(store, { ranked: all, candidates: all }, limit), limit, by, read)
}

/** What the answer says of how it was found; of several phrasings the one that used most counts. */
function modeOf(
  phrasings: readonly Phrasing[],
  scope: Scope,
  { embedQueries }: SearcherOptions,
): { readonly answer: SearchAnswer['mode']; readonly hybrid: boolean } {
  const requested = embedQueries ? 'hybrid' : 'lexical'
  let said: { readonly answer: SearchAnswer['mode']; readonly hybrid: boolean } | undefined
  for (const { plan, embedded } of phrasings) {
    const { vector, realized, model } = embedded
    const onlyWords = vector && wordsOnly({ speaker: scope.speaker !== undefined, phrase: plan.all.length > 0 })
    const hybrid = vector !== undefined && onlyWords === undefined
    if (said === undefined || (hybrid && !said.hybrid))
      said = { answer: { requested, realized: onlyWords ?? realized, ...given({ model }) }, hybrid }
  }
  return said ?? { answer: { requested, realized: 'lexical: tool calls have no vectors' }, hybrid: false }
}

/** The best `limit` chunks, or those of as many sessions; and all that were ranked. */
interface Found {
  readonly ranked: readonly Ranked[]
  readonly all: readonly Ranked[]
}

interface Finding extends Pick<SearcherOptions, 'inspect'> {
  /** Of the question, where its first hits are ordered token by token. */
  readonly tokens: StatedQuestion | undefined
  readonly several: boolean
  /** What the limit counts. */
  readonly by: 'hit' | 'session'
  /** A listing of a time: from its beginning on. */
  readonly byTime: boolean
  readonly read: Read
}

/**
 * What says the same is folded into one, so more candidates are fetched until enough are left; of several phrasings it is folded when their
 * lists are one. Summaries go behind messages in each of them: fused first, a summary that every phrasing finds would stand before all.
 */
async function find(search: Gather, { inspect, several, by, byTime, read, tokens }: Finding): Promise<Found> {
  const { store, plan, scope, vector, least: limit } = search
  const person = scope.speaker ? undefined : plan.person
  const listing = isListing(plan, scope)
  if (!listing && plan.any.length + plan.all.length === 0 && (vector === undefined || plan.empty)) return { ranked: [], all: [] }
  for (let most = several ? LEAST_CANDIDATES : Math.max(LEAST_CANDIDATES, CANDIDATES_A_HIT * limit); ; most *= 4) {
    if (listing) {
      const wanted = byTime ? MOST_CANDIDATES : most
      const newest = await newestOf(store, person ? narrowedTo(scope, person) : scope, wanted)
      // Where there are more, the oldest of these would be no beginning.
      const found = byTime && closed(scope) && newest.length < wanted ? newest.toSorted(earlier) : newest
      const ranked = await withoutCopiesOfTurns(store, { ranked: inOrder(found), candidates: found }, limit)
      if (byTime || counted(ranked, by) >= limit || found.length < most)
        return { ranked: by === 'hit' ? ranked.slice(0, limit) : ranked, all: ranked }
      continue
    }
    const found = await gather({ ...search, most })
    inspect?.(found)
    const byParts = rank(found)
    const byTokens = plan.all.length === 0 && !scope.speaker ? tokens : undefined
    const order = byTokens === undefined ? byParts : await tokenOrder(byParts, { store, ranking: found, question: byTokens })
    const own = await withoutCopiesOfTurns(store, { ranked: withConfidence(order, found), candidates: found.candidates }, limit)
    const folded = await withoutOccurrences(own, found.candidates)
    const ranked = several
      ? await summariesBehind(store, folded.slice(0, limit), read)
      : await foldNearDuplicates(store, folded, limit, by, read)
    const crowded = folded.length < own.length
    const enough = crowded && several ? FUSED_OF_SERIES : limit
    if (counted(ranked, by) >= enough || !found.more || most >= MOST_CANDIDATES) return { ranked, all: own }
    // A series has hundreds of occurrences: those just behind the first are more of the same.
    if (crowded) most = Math.min(most * MORE_OF_SERIES, MOST_CANDIDATES / 4)
  }
}

async function tokenOrder(hits: readonly Ranked[], order: TokenOrder): Promise<readonly Ranked[]> {
  const { inTokenOrder } = await import('./token-order.ts')
  return inTokenOrder(hits, order)
}

/** Of a series of meetings, which are conversations: without any, nothing is loaded. */
async function withoutOccurrences(ranked: readonly Ranked[], candidates: readonly Candidate[]): Promise<readonly Ranked[]> {
  if (candidates.every(({ unit }) => unit === undefined)) return ranked
  return (await import('./fold-series.ts')).foldSeries(ranked, candidates)
}

function counted(ranked: readonly Ranked[], by: 'hit' | 'session'): number {
  return by === 'hit' ? ranked.length : new Set(ranked.map(({ group }) => group)).size
}

function closed({ filter: { after, before } }: Scope): boolean {
  return after !== undefined && before !== undefined
}

function earlier(a: Candidate, b: Candidate): number {
  return a.timestamp - b.timestamp || a.group.localeCompare(b.group) || a.chunkIndex - b.chunkIndex
}

/** A listing has no relevance of its own: it only falls with rank. */
function inOrder(found: readonly Candidate[]): Ranked[] {
  const once = new Map(found.map((candidate) => [candidate.contentHash, candidate] as const).toReversed())
  const kept = found.filter((candidate) => once.get(candidate.contentHash) === candidate)
  return kept.map(({ chunkId, group, unit }, i) => ({
    ...{ chunkId, group, score: 1 - i / (kept.length + 1), parts: {}, matched: [] },
    ...given({ isConversation: unit === undefined ? undefined : true }),
  }))
}
