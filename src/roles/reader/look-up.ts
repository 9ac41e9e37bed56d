/** What memory has for a prompt that may need it: decides, searches, assembles, and notes what was given. */
import { given } from '../../core/given.ts'
import type { SearchAnswer, SearchResult } from '../../search/result.ts'
import { searcher } from '../../search/search.ts'
import { soughtBy } from '../../search/sought.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import { assemble } from './assemble.ts'
import type { FirstLook } from './first-look.ts'
import { type KnownNames, knownNames } from './known-names.ts'
import { needOf } from './need.ts'
import { type Phrasing, phrasingsOf } from './phrase.ts'
import { type Candidate, pieceOfHit, sameKey } from './piece.ts'
import { placeAt, scopeOf } from './place.ts'
import type { ReadAnswer, ReadRequest } from './reader.ts'
import { type ReaderOptions, silent } from './reader-options.ts'
import { statedPieces } from './stated-pieces.ts'
import { whatHolds } from './what-holds.ts'

/** More hits than any budget has room for. */
const HITS = 40
const PROMPTS_BEFORE = 2
const DAY = 86_400_000
/** Sessions that go on longer are given a piece again, for once. */
const KEPT_DAYS = 30
/** A note is not worth more waiting: without it a piece may come twice. */
const PATIENCE_MS = 100
/** So long it takes to rank, choose sentences and answer when all is found. */
const REST_MS = 100

export async function lookUp(request: ReadRequest, look: FirstLook, options: ReaderOptions): Promise<ReadAnswer> {
  const { agent, folder, harness = '', session, maxTokens = options.settings.max_tokens, explain = false } = request
  const store = await options.store()
  const place = await placeAt(store, agent, folder)
  const known = await knownNames(store, agent, { names: look.names, place })
  const own = session === undefined ? undefined : await store.reader.session(harness, session, PROMPTS_BEFORE)
  const filter = {
    ...(agent === 'all' ? {} : { agentId: agent }),
    ...given({ project: options.settings.scope === 'all' ? undefined : place.scope }),
  }
  const { needed, reason } = await needOf(look, known, { store, owner: options.owner(), filter, session: own?.id })
  if (!needed) return silent(reason)
  if (request.signal?.aborted !== true) options.prepare?.()
  const scope = reach(look, known, { place: place.scope, all: options.settings.scope === 'all' })
  const phrasings = await phrasingsOf(store, look, { known, before: own?.prompts ?? [], session: own?.id })
  const found = await search(store, phrasings, { request, options, project: scope })
  const left: { citation: string; why: string }[] = []
  const hits = found.results.filter((hit) => {
    const why = refused(hit, { own: own?.id, recall: look.says === 'recall' })
    if (why !== undefined) left.push({ citation: hit.id, why })
    return why === undefined
  })
  const asked = { agent, prompt: look.text, keys: scope === undefined ? undefined : [...scope.keys, ...place.keys] }
  const candidates = [
    ...(await statedPieces(store, asked)),
    ...(await whatHolds(store, hits, { prompt: look.text, pieceOf: (hit) => pieceOfHit(hit, whyOf(hit, phrasings)), left })),
  ]
  const before = session === undefined ? [] : await store.reader.given({ agent_id: agent, harness, session })
  const ranked = distinct(candidates).map((candidate) => ({ candidate, isOld: before.some((key) => sameKey(key, candidate.key)) }))
  const sought = await soughtBy(
    phrasings.map(({ text }) => text),
    { store, owner: options.owner() },
  )
  const made = assemble(ranked, { sought, maxTokens, project: place.name })
  if (session !== undefined && made.used.length > 0) {
    const note = { agent_id: agent, harness, session, pieces: made.used.map(({ key }) => key), given_at: options.clock() }
    // A busy or read-only database loses the note, and nothing else.
    await store
      .noteGiven({ ...note, expired_before: options.clock() - KEPT_DAYS * DAY }, { patienceMs: PATIENCE_MS })
      .catch(() => undefined)
  }
  return {
    ...{ needed, reason, scope: scope === undefined ? 'all' : 'project', phrasings: phrasings.map(({ text }) => text) },
    ...{ pieces: made.pieces, tokens: made.tokens, text: made.text, mode: found.mode.realized },
    ...(explain ? { left: [...left, ...made.left] } : {}),
  }
}

/** The project of the folder, and those that the prompt names; all where it asks for what was, or no project is known. */
function reach(
  look: FirstLook,
  known: KnownNames,
  { place, all }: { place: ProjectScope | undefined; all: boolean },
): ProjectScope | undefined {
  if (all || look.says === 'recall' || known.entities.length > 0) return undefined
  const named = scopeOf(known.projects)
  if (place === undefined) return named.keys.length === 0 ? undefined : named
  return { ...place, keys: [...place.keys, ...named.keys] }
}

interface Asking {
  readonly request: ReadRequest
  readonly options: ReaderOptions
  readonly project: ProjectScope | undefined
}

async function search(store: Store, phrasings: readonly Phrasing[], { request, options, project }: Asking): Promise<SearchAnswer> {
  const { signal, folder, agent, left } = request
  const { embedQueries, embedQuestion, embedModel, clock } = options
  const inTime =
    embedQueries === undefined || signal?.aborted ? undefined : (texts: readonly string[]) => unlessLate(embedQueries(texts), signal)
  const looking = searcher({
    store,
    clock,
    owner: options.owner(),
    agentId: agent,
    embedQueries: inTime,
    // Who counts milliseconds is answered without: from a cold process it costs a sixth of the processor time of a prompt.
    embedQuestion: left === undefined && inTime && embedQuestion ? (text) => unlessLate(embedQuestion(text), signal) : undefined,
    embedModel,
    ...given({ comparesAll: left === undefined ? undefined : (vectors: number) => comparingMs(vectors) + REST_MS <= left() }),
    project,
    counts: false,
    bare: true,
  })
  const [first, ...others] = phrasings.map(({ text }) => text)
  const answer = await looking.search({
    query: first as string,
    queries: others,
    limit: HITS,
    explain: true,
    ...given({ prefer_project: project === undefined ? folder : undefined }),
  })
  if (signal?.aborted && !answer.mode.realized.startsWith('hybrid'))
    return { ...answer, mode: { ...answer.mode, realized: 'lexical: the model was late' } }
  return answer
}

/** About what it takes a cold process on a slow machine; among very many, bits of the vectors are compared first. */
function comparingMs(vectors: number): number {
  return 20 + Math.min(vectors * 0.006, 180)
}

/** What a promise gives, or nothing once the signal fires. */
function unlessLate<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
    promise.then(resolve, reject)
  })
}

/** Why a hit is not given: the session itself has it, or nobody asked for what strangers say. */
function refused(
  { session_id, trust, kind }: SearchResult,
  { own, recall }: { own: string | undefined; recall: boolean },
): string | undefined {
  if (own !== undefined && session_id === own) return 'the session itself says so'
  if (trust === 'untrusted' && kind !== 'work' && !recall) return 'it is of untrusted origin, and the prompt does not ask for what was'
  return undefined
}

function whyOf({ found_by, matched }: SearchResult, phrasings: readonly Phrasing[]): string {
  const by = (found_by ?? [0]).flatMap((at) => phrasings[at]?.why ?? [])
  const words = matched.slice(0, 6).join(', ')
  return `found by ${by.join(' and ')}${words === '' ? ', by meaning' : `: ${words}`}`
}

function distinct(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter((one, i) => candidates.findIndex((other) => sameKey(one.key, other.key)) === i)
}
