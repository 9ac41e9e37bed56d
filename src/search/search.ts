/** A search from the request to the answer: plan, candidates, rank, present. Reads only; the one thing it writes is the log. */
import type { Selectable } from 'kysely'
import type { Clock } from '../core/clock.ts'
import { isoOrNull } from '../core/time.ts'
import { lastDone } from '../store/job.ts'
import type { ChunkFilter, LexicalHit, LexicalQuery } from '../store/lexical.ts'
import type { Store } from '../store/store.ts'
import type { ChunksTable } from '../store/tables.ts'
import { type Owner, type Person, people } from './person.ts'
import { type Plan, planQuery } from './plan.ts'
import { present } from './present.ts'
import { type Candidate, type Ranked, rank } from './rank.ts'
import { checkRequest, type Scope, scopeOf } from './request.ts'
import type { SearchAnswer, SearchRequest } from './result.ts'
import { searchLog } from './search-log.ts'

const LEAST_CANDIDATES = 200
const CANDIDATES_A_HIT = 5
const VALUES_A_QUERY = 5000

export interface SearcherOptions {
  readonly store: Store
  readonly clock: Clock
  readonly owner: Owner
  /** The persona whose memory is searched, unless a request names another. */
  readonly agentId: string
}

export interface Searcher {
  search(request: SearchRequest): Promise<SearchAnswer>
  /** Waits for the notes in search_log; call it before the store is closed. */
  flush(): Promise<void>
}

export function searcher({ store, clock, owner, agentId }: SearcherOptions): Searcher {
  const log = searchLog(store)
  return {
    flush: log.flush,
    async search(request) {
      const started = performance.now()
      const { query, filters, limit, explain } = checkRequest(request)
      const everybody = people(store, owner)
      const scope = await scopeOf(filters, { store, clock, owner, people: everybody, agentId })
      const plan = await planQuery(query, store.lexical, everybody)
      const ranked = await find({ store, plan, scope, limit })
      const results = await present(store, ranked, { explain, branches: filters.branches ?? false, notes: plan.notes })
      const realized = (await store.lexical.size()) === 0 ? 'lexical: nothing indexed yet' : 'lexical'
      const answer = {
        query,
        mode: { requested: 'lexical', realized },
        last_sync: isoOrNull((await lastDone(store, 'sync')) ?? null),
        results,
      }
      log.add({
        agent_id: filters.agent ?? agentId,
        mode: 'lexical',
        hits: results.length,
        latency_ms: performance.now() - started,
        created_at: clock(),
      })
      return answer
    },
  }
}

interface Find {
  readonly store: Store
  readonly plan: Plan
  readonly scope: Scope
  readonly limit: number
}

/** The best `limit` chunks. Equal chunks are folded into one, so more candidates are fetched until enough are left. */
async function find({ store, plan, scope, limit }: Find): Promise<Ranked[]> {
  const person = scope.speaker ? undefined : plan.person
  const terms = { any: plan.any.map(({ term }) => term), all: plan.all.map(({ term }) => term) }
  const listing = plan.empty && (scope.narrowed || person !== undefined)
  if (!listing && terms.any.length + terms.all.length === 0) return []
  for (let most = Math.max(LEAST_CANDIDATES, CANDIDATES_A_HIT * limit); ; most *= 4) {
    const found = listing
      ? await newest(store, person ? narrowedTo(scope, person) : scope, most)
      : await candidates({ store, query: terms, scope, person, most })
    const ranked = listing ? inOrder(found) : await ordered(store, { ...plan, person }, found)
    if (ranked.length >= limit || found.length < most) return ranked.slice(0, limit)
  }
}

function narrowedTo(scope: Scope, person: Person): Scope {
  return { ...scope, speaker: person, filter: person.names ? { ...scope.filter, speaker: person.names } : scope.filter }
}

function roleOf(person: Person | undefined): Pick<LexicalQuery, 'role'> {
  return person?.role ? { role: person.role } : {}
}

async function newest(store: Store, scope: Scope, most: number): Promise<Candidate[]> {
  const hits = await store.lexical.search({ any: [], ...roleOf(scope.speaker) }, scope.filter, most)
  return described(store, hits, new Map())
}

interface Candidates {
  readonly store: Store
  readonly query: LexicalQuery
  readonly scope: Scope
  readonly person: Person | undefined
  readonly most: number
}

/** What the terms find; where the question asks for a person, what that person said of it is found first. */
async function candidates({ store, query, scope, person, most }: Candidates): Promise<Candidate[]> {
  const search = (who: Person | undefined, filter: ChunkFilter) => store.lexical.search({ ...query, ...roleOf(who) }, filter, most)
  const everything = await search(scope.speaker, scope.filter)
  if (!person) return described(store, everything, new Map())
  const said = await search(person, narrowedTo(scope, person).filter)
  const known = new Set(everything.map(({ chunkId }) => chunkId))
  const also = said.filter(({ chunkId }) => !known.has(chunkId))
  return described(store, [...everything, ...also], new Map(said.map(({ chunkId, score }) => [chunkId, score])))
}

async function described(store: Store, hits: readonly LexicalHit[], said: ReadonlyMap<number, number>): Promise<Candidate[]> {
  const columns = ['id', 'session_id', 'path', 'chunk_index', 'timestamp', 'content_hash'] as const
  const byId = new Map<number, Pick<Selectable<ChunksTable>, (typeof columns)[number]>>()
  for (let i = 0; i < hits.length; i += VALUES_A_QUERY) {
    const ids = hits.slice(i, i + VALUES_A_QUERY).map(({ chunkId }) => chunkId)
    const rows = await store.read.selectFrom('chunks').select(columns).where('id', 'in', ids).execute()
    for (const row of rows) byId.set(row.id, row)
  }
  return hits.flatMap(({ chunkId, score }) => {
    const row = byId.get(chunkId)
    if (!row) return []
    const { session_id, path, chunk_index, timestamp, content_hash } = row
    const place = { group: session_id ?? path, chunkIndex: chunk_index, timestamp, contentHash: content_hash }
    return [{ chunkId, bm25: score, said: said.get(chunkId) ?? 0, ...place }]
  })
}

async function ordered(store: Store, plan: Plan, found: readonly Candidate[]): Promise<Ranked[]> {
  const ids = found.map(({ chunkId }) => chunkId)
  const terms = [...plan.all, ...plan.any, ...plan.common].map(({ term }) => term)
  const held = await store.lexical.holding(terms, ids)
  const pairsHeld = await store.lexical.holding(plan.pairs, ids)
  return rank({ plan, candidates: found, held, pairsHeld })
}

/** A listing has no relevance of its own: it only falls with rank. */
function inOrder(found: readonly Candidate[]): Ranked[] {
  const once = new Map(found.map((candidate) => [candidate.contentHash, candidate] as const).toReversed())
  const kept = found.filter((candidate) => once.get(candidate.contentHash) === candidate)
  return kept.map(({ chunkId }, i) => ({ chunkId, score: 1 - i / (kept.length + 1), parts: {}, matched: [] }))
}
