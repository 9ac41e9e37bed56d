/** Candidates by words, by meaning and by speaker. At most a few hundred, whatever the size of the index. */
import { given } from '../core/given.ts'
import type { ChunkFilter, LexicalHit, LexicalQuery, Term } from '../store/lexical.ts'
import type { Store } from '../store/store.ts'
import type { Candidate, Ranking } from './candidate.ts'
import type { Intent } from './intent.ts'
import type { EmbedTexts } from './own-similarity.ts'
import { isAmong, type Person } from './person.ts'
import type { Plan } from './plan.ts'
import type { Scope } from './scope.ts'

export interface Gather {
  readonly store: Store
  readonly plan: Plan
  readonly intent: Intent
  readonly scope: Scope
  readonly vector: Float32Array | undefined
  readonly ranksOnly?: boolean | undefined
  readonly own?: { readonly embed: EmbedTexts; readonly model: string; isMissing?: boolean } | undefined
  readonly most: number
  readonly least: number
}

export interface Gathered extends Ranking {
  readonly more: boolean
  readonly hasWord: boolean
}

export async function gather(search: Gather): Promise<Gathered> {
  const { store, plan, intent, scope, vector, most } = search
  // A speaker filter overrides the person that the question names.
  const person = scope.speaker ? undefined : (plan.person ?? intent.mentioned)
  const said = person ? await byWords(search, narrowedTo(scope, person)) : []
  const found = await byWords(search, scope)
  const near = vector && search.ranksOnly !== true ? await nearestOf(search, vector, found) : []
  const bm25 = new Map([...said, ...found].map(({ chunkId, score }) => [chunkId, score]))
  const terms = [...plan.all, ...plan.any, ...plan.common].map(({ term }) => term)
  const ids = [...new Set([...bm25.keys(), ...near.map(({ chunkId }) => chunkId)])]
  const held = await store.lexical.holding(terms, ids)
  const candidates = await described(store, ids, {
    bm25,
    said: new Map(said.map(({ chunkId, score }) => [chunkId, score])),
    similarity: vector ? await similaritiesFor(search, vector, { ids, near }) : new Map(),
    person,
  })
  const pairsHeld = await store.lexical.holding(plan.pairs, ids)
  const hasWord = found.length + said.length > 0
  return { plan, intent, candidates, held, pairsHeld, hasWord, more: Math.max(found.length, near.length) >= most }
}

export async function newestOf(store: Store, scope: Scope, most: number): Promise<Candidate[]> {
  const hits = await store.lexical.search({ any: [], ...roleOf(scope.speaker) }, scope.filter, most)
  return described(
    store,
    hits.map(({ chunkId }) => chunkId),
    { bm25: new Map(), said: new Map(), similarity: new Map(), person: undefined },
  )
}

export function narrowedTo(scope: Scope, person: Person): Scope {
  return { ...scope, speaker: person, filter: person.names ? { ...scope.filter, speaker: person.names } : scope.filter }
}

function roleOf(person: Person | undefined): Pick<LexicalQuery, 'role'> {
  return person?.role ? { role: person.role } : {}
}

/** Each makes the engine read a long list; the commonest words hardly change the order. */
const MOST_RAISED = 3

/** Very common words only raise scores. If the other words find too few, they are searched too. */
async function byWords(
  { store, plan, most, least }: Gather,
  { filter, speaker }: { filter: ChunkFilter; speaker: Person | undefined },
): Promise<LexicalHit[]> {
  const [any, all, common] = [plan.any, plan.all, plan.common].map((terms) => terms.map(({ term }) => term)) as [Term[], Term[], Term[]]
  if (any.length + all.length === 0) return []
  const found = new Map<number, LexicalHit>()
  const look = async (query: LexicalQuery) => {
    for (const hit of await store.lexical.search({ ...query, all, ...roleOf(speaker) }, filter, most)) found.set(hit.chunkId, hit)
  }
  await look({ any, raise: common.slice(0, MOST_RAISED) })
  if (found.size < least && common.length > 0) await look({ any: [...any, ...common] })
  return [...found.values()]
}

/** A vector covers the whole chunk. With a speaker filter, only that speaker's words are compared. */
async function nearestOf(search: Gather, vector: Float32Array, found: readonly LexicalHit[]): Promise<Near> {
  const { store, scope, own, most } = search
  const { speaker, filter } = scope
  if (speaker === undefined) return store.vectors.nearest(vector, filter, most)
  if (own === undefined) return []
  const whole = await store.vectors.nearest(vector, { ...filter, ...given({ role: speaker.role }) }, most)
  const ids = alternating(
    whole.map(({ chunkId }) => chunkId),
    found.map(({ chunkId }) => chunkId),
  )
  const similarity = await similarities(store, vector, { ids, near: whole })
  const nearest = await (await import('./own-similarity.ts')).ownSimilarities(ids, similarity, { store, vector, speaker, ...own })
  own.isMissing = nearest === undefined
  return [...(nearest ?? [])].map(([chunkId, cosine]) => ({ chunkId, similarity: cosine })).toSorted((a, b) => b.similarity - a.similarity)
}

function alternating(one: readonly number[], other: readonly number[]): number[] {
  const both = Array.from({ length: Math.max(one.length, other.length) }, (_, i) => [one[i], other[i]]).flat()
  return [...new Set(both.filter((id) => id !== undefined))]
}

type Near = readonly { readonly chunkId: number; readonly similarity: number }[]

async function similaritiesFor(
  { store, scope, own }: Gather,
  vector: Float32Array,
  { ids, near }: { ids: readonly number[]; near: Near },
): Promise<Map<number, number>> {
  if (scope.speaker === undefined || own === undefined || own.isMissing || near.length === 0)
    return similarities(store, vector, { ids, near })
  return new Map(near.map(({ chunkId, similarity }) => [chunkId, similarity]))
}

async function similarities(
  store: Store,
  vector: Float32Array,
  { ids, near }: { ids: readonly number[]; near: Near },
): Promise<Map<number, number>> {
  const known = new Map(near.map(({ chunkId, similarity }) => [chunkId, similarity]))
  const others = await store.vectors.similarities(
    vector,
    ids.filter((id) => !known.has(id)),
  )
  for (const [id, similarity] of others) known.set(id, similarity)
  return known
}

interface Known {
  readonly bm25: ReadonlyMap<number, number>
  readonly said: ReadonlyMap<number, number>
  readonly similarity: ReadonlyMap<number, number>
  readonly person: Person | undefined
}

async function described(store: Store, ids: readonly number[], { bm25, said, similarity, person }: Known): Promise<Candidate[]> {
  const byId = new Map((await store.rows.candidates(ids)).map((row) => [row.id, row]))
  const placeOf = await placesOf(store, [...byId.values()])
  return ids.flatMap((chunkId) => {
    const row = byId.get(chunkId)
    if (!row) return []
    const { session_id, path, chunk_index, timestamp, token_count, content_hash, speakers } = row
    const speaks = person !== undefined && isAmong(JSON.parse(speakers) as string[], person)
    const candidate = {
      chunkId,
      bm25: bm25.get(chunkId) ?? 0,
      said: said.get(chunkId) ?? 0,
      speaks,
      similarity: similarity.get(chunkId),
      turn: session_id === null ? undefined : path,
      group: session_id ?? path,
      chunkIndex: chunk_index,
      timestamp,
      tokens: token_count,
      contentHash: content_hash,
    }
    return placeOf === undefined ? candidate : { ...candidate, ...placeOf(path, chunk_index) }
  })
}

async function placesOf(store: Store, rows: readonly { readonly path: string }[]) {
  if (!rows.some(({ path }) => path.startsWith('events/'))) return undefined
  return (await import('./conversations.ts')).conversations(store, rows)
}
