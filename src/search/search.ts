/** A search from the request to the answer: plan, candidates, rank, present. Reads only; the one thing it writes is the log. */
import type { Clock } from '../core/clock.ts'
import { given } from '../core/given.ts'
import { isoOrNull } from '../core/time.ts'
import type { Store } from '../store/store.ts'
import type { Candidate, Ranked, Ranking } from './candidate.ts'
import { checkRequest } from './check-request.ts'
import { fuse } from './fuse.ts'
import { type Gather, gather, narrowedTo, newestOf } from './gather.ts'
import { bestOfEach, groupsOf } from './groups.ts'
import { type Intent, intentOf } from './intent.ts'
import { foldNearDuplicates } from './near-duplicates.ts'
import { type Owner, people } from './person.ts'
import { type Plan, planQuery } from './plan.ts'
import { preferProject } from './prefer-project.ts'
import { present } from './present.ts'
import { withoutCopiesOfTurns } from './published-hits.ts'
import { type QueryEmbedder, type QueryVector, queryVector, wordsOnly } from './query-vector.ts'
import { rank } from './rank.ts'
import type { SearchAnswer, SearchRequest } from './result.ts'
import { type Scope, scopeOf } from './scope.ts'
import { searchLog } from './search-log.ts'
import { soughtIn } from './sought.ts'

const LEAST_CANDIDATES = 200
const CANDIDATES_A_HIT = 5
/** Where there are more copies than this, the answer has fewer hits: going on would take too long. */
const MOST_CANDIDATES = 10_000
/** So many hits of each phrasing are fused, and so many are looked at for sessions. */
const FUSED = 100

export interface SearcherOptions extends QueryEmbedder {
  readonly store: Store
  readonly clock: Clock
  readonly owner: Owner
  /** The persona whose memory is searched, unless a request names another. */
  readonly agentId: string
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
      const { queries, filters, limit, explain, by, preferProject: folder } = checkRequest(request)
      const everybody = people(store, owner)
      const scope = await scopeOf(filters, { store, clock, owner, people: everybody, agentId })
      const phrasings: Phrasing[] = []
      for (const query of queries) {
        const intent = await intentOf(query, { store, people: everybody, owner, scope, now: clock() })
        const embedding = queryVector(store, intent, options) // in its own thread, while the words are looked up
        phrasings.push({ plan: await planQuery(query, store.lexical, everybody), intent, embedding })
      }
      const wanted = by === 'session' || folder !== undefined || phrasings.length > 1 ? Math.max(limit, FUSED) : limit
      const lists: (readonly Ranked[])[] = []
      for (const { plan, intent, embedding } of phrasings) {
        const { vector } = await embedding
        lists.push(await find({ store, plan, intent, scope, vector, most: 0, least: wanted }, { inspect: options.inspect }))
      }
      const found = lists.length === 1 ? (lists[0] as readonly Ranked[]) : await foldNearDuplicates(store, fuse(lists), wanted)
      const ranked = folder === undefined ? found : await preferProject(store, found, folder)
      const shown = by === 'session' ? bestOfEach(ranked, limit) : ranked.slice(0, limit)
      const notes = Object.assign({}, ...phrasings.map(({ plan }) => plan.notes)) as Record<string, number>
      const sought = soughtIn(phrasings.map(({ plan }) => plan))
      const results = await present(store, shown, { explain, branches: filters.branches ?? false, notes, sought })
      const mode = await modeOf(phrasings, scope, options)
      log.add({
        agent_id: filters.agent ?? agentId,
        mode: mode.hybrid ? 'hybrid' : 'lexical',
        hits: results.length,
        latency_ms: performance.now() - started,
        created_at: clock(),
      })
      const last_sync = isoOrNull((await store.rows.lastDone('sync')) ?? null)
      const groups = groupsOf(results, ranked)
      return { query: queries[0] as string, queries, mode: mode.answer, last_sync, results, groups }
    },
  }
}

/** One way of asking the question. */
interface Phrasing {
  readonly plan: Plan
  readonly intent: Intent
  readonly embedding: Promise<QueryVector>
}

/** What the answer says of how it was found; of several phrasings the one that used most counts. */
async function modeOf(
  phrasings: readonly Phrasing[],
  scope: Scope,
  { embedQuery }: SearcherOptions,
): Promise<{ readonly answer: SearchAnswer['mode']; readonly hybrid: boolean }> {
  const requested = embedQuery ? 'hybrid' : 'lexical'
  let said: { readonly answer: SearchAnswer['mode']; readonly hybrid: boolean } | undefined
  for (const { plan, embedding } of phrasings) {
    const { vector, realized, model } = await embedding
    const onlyWords = vector && wordsOnly({ speaker: scope.speaker !== undefined, phrase: plan.all.length > 0 })
    const hybrid = vector !== undefined && onlyWords === undefined
    if (said === undefined || (hybrid && !said.hybrid))
      said = { answer: { requested, realized: onlyWords ?? realized, ...given({ model }) }, hybrid }
  }
  return said ?? { answer: { requested, realized: 'lexical' }, hybrid: false }
}

/** The best `limit` chunks. What says the same is folded into one, so more candidates are fetched until enough are left. */
async function find(search: Gather, { inspect }: Pick<SearcherOptions, 'inspect'>): Promise<Ranked[]> {
  const { store, plan, scope, vector, least: limit } = search
  const person = scope.speaker ? undefined : plan.person
  const listing = plan.empty && (scope.narrowed || person !== undefined)
  if (!listing && plan.any.length + plan.all.length === 0 && (vector === undefined || plan.empty)) return []
  for (let most = Math.max(LEAST_CANDIDATES, CANDIDATES_A_HIT * limit); ; most *= 4) {
    if (listing) {
      const found = await newestOf(store, person ? narrowedTo(scope, person) : scope, most)
      const ranked = await withoutCopiesOfTurns(store, { ranked: inOrder(found), candidates: found }, limit)
      if (ranked.length >= limit || found.length < most) return ranked.slice(0, limit)
      continue
    }
    const found = await gather({ ...search, most })
    inspect?.(found)
    const own = await withoutCopiesOfTurns(store, { ranked: rank(found), candidates: found.candidates }, limit)
    const ranked = await foldNearDuplicates(store, own, limit)
    if (ranked.length >= limit || !found.more || most >= MOST_CANDIDATES) return ranked
  }
}

/** A listing has no relevance of its own: it only falls with rank. */
function inOrder(found: readonly Candidate[]): Ranked[] {
  const once = new Map(found.map((candidate) => [candidate.contentHash, candidate] as const).toReversed())
  const kept = found.filter((candidate) => once.get(candidate.contentHash) === candidate)
  return kept.map(({ chunkId, group }, i) => ({ chunkId, group, score: 1 - i / (kept.length + 1), parts: {}, matched: [] }))
}
