/** A search from the request to the answer: plan, candidates, rank, present. Reads only; the one thing it writes is the log. */
import type { Clock } from '../core/clock.ts'
import { given } from '../core/given.ts'
import { isoOrNull } from '../core/time.ts'
import type { Store } from '../store/store.ts'
import type { Candidate, Ranked, Ranking } from './candidate.ts'
import { checkRequest } from './check-request.ts'
import { type Gather, gather, narrowedTo, newestOf } from './gather.ts'
import { intentOf } from './intent.ts'
import { foldNearDuplicates } from './near-duplicates.ts'
import { type Owner, people } from './person.ts'
import { planQuery } from './plan.ts'
import { present } from './present.ts'
import { withoutCopiesOfTurns } from './published-hits.ts'
import { type QueryEmbedder, queryVector, wordsOnly } from './query-vector.ts'
import { rank } from './rank.ts'
import type { SearchAnswer, SearchRequest } from './result.ts'
import { scopeOf } from './scope.ts'
import { searchLog } from './search-log.ts'

const LEAST_CANDIDATES = 200
const CANDIDATES_A_HIT = 5
/** Where there are more copies than this, the answer has fewer hits: going on would take too long. */
const MOST_CANDIDATES = 10_000

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
      const { query, filters, limit, explain } = checkRequest(request)
      const everybody = people(store, owner)
      const scope = await scopeOf(filters, { store, clock, owner, people: everybody, agentId })
      const intent = await intentOf(query, { store, people: everybody, owner, scope, now: clock() })
      const embedding = queryVector(store, intent, options) // in its own thread, while the words are looked up
      const plan = await planQuery(query, store.lexical, everybody)
      const { vector, realized: of, model } = await embedding
      const onlyWords = vector && wordsOnly({ speaker: scope.speaker !== undefined, phrase: plan.all.length > 0 })
      const realized = onlyWords ?? of
      const ranked = await find({ store, plan, intent, scope, vector, most: 0, least: limit }, { inspect: options.inspect })
      const results = await present(store, ranked, { explain, branches: filters.branches ?? false, notes: plan.notes })
      const requested = options.embedQuery ? 'hybrid' : 'lexical'
      const mode = { requested, realized, ...given({ model }) }
      log.add({
        agent_id: filters.agent ?? agentId,
        mode: vector && !onlyWords ? 'hybrid' : 'lexical',
        hits: results.length,
        latency_ms: performance.now() - started,
        created_at: clock(),
      })
      return { query, mode, last_sync: isoOrNull((await store.rows.lastDone('sync')) ?? null), results }
    },
  }
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
  return kept.map(({ chunkId }, i) => ({ chunkId, score: 1 - i / (kept.length + 1), parts: {}, matched: [] }))
}
