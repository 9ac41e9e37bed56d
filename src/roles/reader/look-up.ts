/** Answers a prompt that may need memory: decides, searches, assembles, and notes the given pieces. */
import { given } from '../../core/given.ts'
import type { KnownFact } from '../../search/known/known-facts.ts'
import { asksForOwner } from '../../search/known/owner-asked.ts'
import { namesAnything, personalScope } from '../../search/personal-scope.ts'
import type { SearchAnswer, SearchResult } from '../../search/result.ts'
import { searcher } from '../../search/search.ts'
import { soughtBy } from '../../search/sought.ts'
import type { PersonalScope, ProjectScope } from '../../store/lexical.ts'
import type { GivenPiece } from '../../store/reader-rows.ts'
import type { Store } from '../../store/store.ts'
import { assemble } from './assemble.ts'
import type { FirstLook } from './first-look.ts'
import { helpful, isLikely, isSure } from './helpful.ts'
import { keysOf, knownLines } from './known-lines.ts'
import { type KnownNames, knownNames } from './known-names.ts'
import { type Need, needOf } from './need.ts'
import { type Phrasing, phrasingsOf } from './phrase.ts'
import { type Candidate, pieceOfHit, sameKey } from './piece.ts'
import { placeAt, scopeOf } from './place.ts'
import { projectPieces } from './project-pieces.ts'
import type { ReadAnswer, ReadRequest } from './reader.ts'
import { type ReaderOptions, silent, VAGUE } from './reader-options.ts'
import { CONTINUES } from './recall.ts'
import { speaksOf } from './speaks-of.ts'
import { statedPieces } from './stated-pieces.ts'
import { isVague } from './vague.ts'
import { whatHolds } from './what-holds.ts'

const HITS = 40
const PROMPTS_BEFORE = 2
const DAY = 86_400_000
/** Later, a long session may get a piece again. */
const KEPT_DAYS = 30
const NOWHERE: ProjectScope = { keys: [''], folders: [], ids: [] }
const UNNAMED: PersonalScope = { channels: [], handles: [], threads: [] }
/** Without the note, a piece may be repeated, which is better than waiting. */
const PATIENCE_MS = 100
const REST_MS = 100

export async function lookUp(request: ReadRequest, look: FirstLook, options: ReaderOptions): Promise<ReadAnswer> {
  const { agent, folder, harness = '', session, maxTokens = options.settings.max_tokens, explain = false } = request
  const store = await options.store()
  const place = await placeAt(store, agent, folder)
  const known = await knownNames(store, agent, { names: look.names, place })
  const own = session === undefined ? undefined : await store.reader.session(harness, session, PROMPTS_BEFORE)
  const namesNothing = known.entities.length + known.projects.length + (own?.prompts.length ?? 0) === 0
  const saysNothing = look.says === 'recall' && namesNothing && isVague(look.text) && !asksForOwner(look.text)
  if (saysNothing) return silent(VAGUE)
  const now = options.clock()
  const asking = { agentId: agent, now, folder, settings: options.settings, here: place.name }
  const facts = await knownLines(store, look, asking)
  const personal = folder === undefined ? undefined : await namedIn(store, look, { known, facts, options })
  const filter = {
    ...(agent === 'all' ? {} : { agentId: agent }),
    ...given({ project: options.settings.scope === 'all' ? undefined : place.scope, personal }),
  }
  // A prompt that names other projects asks about those.
  const askedOf = known.projects.length === 0 ? place.scope : scopeOf(known.projects)
  const ofProject = await projectPieces(store, { agent, questions: look.questions, scope: askedOf })
  const { needed, reason, ifFound } = await needFor(facts[0]?.name, ofProject.length > 0, () =>
    needOf(look, known, { store, owner: options.owner(), filter, session: own?.id }),
  )
  if (!needed) return silent(reason)
  if (request.signal?.aborted !== true) options.prepare?.()
  const all = options.settings.scope === 'all'
  const stays =
    folder !== undefined && CONTINUES.test(look.text) && known.entities.length + facts.length === 0 && !namesAnything(personal ?? UNNAMED)
  const near = reach(look, known, { place: stays ? (place.scope ?? NOWHERE) : place.scope, all: all || facts.length > 0, stays })
  const phrasings = await phrasingsOf(store, look, { known, before: own?.prompts ?? [], session: own?.id })
  const left: { citation: string; why: string }[] = []
  const searchIn = async (project: ProjectScope | undefined) => {
    const found = await search(store, phrasings, { request, options, project, personal })
    const allowed = found.results.filter((hit) => {
      const why = refused(hit, { own: own?.id, recall: look.says === 'recall' })
      if (why !== undefined) left.push({ citation: hit.id, why })
      return why === undefined
    })
    return { mode: found.mode.realized, allowed, scope: project }
  }
  const inReach = await searchIn(near)
  // A hit that is only likely in the project may be sure elsewhere, such as in a clone.
  const wider = ifFound && near !== undefined && !isSure(inReach.allowed) ? await searchIn(undefined) : undefined
  const { allowed, mode, scope } = wider !== undefined && isSure(wider.allowed) ? wider : inReach
  if (ifFound && !isSure(allowed) && !isLikely(allowed))
    return silent(allowed.length + left.length === 0 ? 'memory has nothing on what it asks' : 'nothing in memory is sure to answer it')
  const isAnswered = facts.some(({ isAnswer }) => isAnswer)
  const isKnown =
    known.entities.length + known.projects.length + known.tickets.length + known.codes.length + facts.length > 0 ||
    namesAnything(personal ?? UNNAMED)
  const [asIs] = phrasings
  const isOfIt =
    isKnown || phrasings.length > 1 || asIs === undefined || (await speaksOf(asIs.text, allowed, { store, owner: options.owner(), now }))
  if (!isOfIt) left.push(...allowed.map(({ id }) => ({ citation: id, why: 'nothing that was found speaks of what was asked' })))
  const hits = isOfIt ? helpful(allowed, { isAnswered, left }) : []
  const asked = {
    agent,
    prompt: look.text,
    keys: scope === undefined ? undefined : [...scope.keys, ...place.keys],
    personal: personal === undefined,
  }
  const candidates = [
    ...ofProject,
    ...(await statedPieces(store, asked)),
    ...(await whatHolds(store, hits, { prompt: look.text, pieceOf: (hit) => pieceOfHit(hit, whyOf(hit, phrasings)), left })),
  ]
  const before = session === undefined ? [] : await store.reader.given({ agent_id: agent, harness, session })
  const ranked = distinct(candidates).map((candidate) => ({ candidate, isOld: before.some((key) => sameKey(key, candidate.key)) }))
  const sought = await soughtBy(
    phrasings.map(({ text }) => text),
    { store, owner: options.owner() },
  )
  const isGiven = (key: GivenPiece) => before.some((one) => sameKey(one, key))
  const fresh = facts.filter((fact) => keysOf(fact).length === 0 || !keysOf(fact).every(isGiven))
  const made = assemble(ranked, { sought, maxTokens, project: place.name, known: fresh.map(({ text }) => text) })
  const said = fresh.slice(0, made.known)
  const notes = [...said.flatMap(keysOf), ...made.used.map(({ key }) => key)]
  if (session !== undefined && notes.length > 0) {
    const note = { agent_id: agent, harness, session, pieces: notes, given_at: options.clock() }
    await store
      .noteGiven({ ...note, expired_before: options.clock() - KEPT_DAYS * DAY }, { patienceMs: PATIENCE_MS })
      .catch(() => undefined)
  }
  return {
    ...{ needed, reason, scope: scope === undefined ? 'all' : 'project', phrasings: phrasings.map(({ text }) => text) },
    known: said.map(({ entity_id, type, name, text, citations, trust }) => ({ entity_id, type, name, text, citations, trust })),
    ...{ pieces: made.pieces, tokens: made.tokens, text: made.text, mode },
    ...(explain ? { left: [...left, ...made.left] } : {}),
  }
}

async function needFor(name: string | undefined, isOfProject: boolean, byWords: () => Promise<Need>): Promise<Need> {
  if (name !== undefined) return { needed: true, reason: `memory knows of ${name}` }
  return isOfProject ? { needed: true, reason: 'it asks what the project’s tool calls say' } : byWords()
}

async function namedIn(
  store: Store,
  look: FirstLook,
  { known, facts, options }: { readonly known: KnownNames; readonly facts: readonly KnownFact[]; readonly options: ReaderOptions },
): Promise<PersonalScope | undefined> {
  const spoken = facts.filter(({ isOwner }) => !isOwner).map(({ entity_id: id, type, name }) => ({ id, type, name }))
  const people = [...known.entities, ...spoken].filter(({ type }) => type === 'person')
  const aliases = people.length === 0 ? [] : await store.reader.aliases(people.map(({ id }) => id))
  const called = [...people.map(({ name }) => name), ...aliases.map(({ value }) => value)]
  return personalScope(store, [look.text], { setting: options.settings.personal, owner: options.owner(), called })
}

/** The folder's project plus named ones. Everything if the prompt names a known entity, or asks about the past without resuming work. */
function reach(
  look: FirstLook,
  known: KnownNames,
  { place, all, stays }: { place: ProjectScope | undefined; all: boolean; stays: boolean },
): ProjectScope | undefined {
  if (all || (look.says === 'recall' && !stays) || known.entities.length > 0) return undefined
  const named = scopeOf(known.projects)
  if (place === undefined) return named.keys.length === 0 ? undefined : named
  return { ...place, keys: [...place.keys, ...named.keys] }
}

interface Asking {
  readonly request: ReadRequest
  readonly options: ReaderOptions
  readonly project: ProjectScope | undefined
  readonly personal: PersonalScope | undefined
}

async function search(
  store: Store,
  phrasings: readonly Phrasing[],
  { request, options, project, personal }: Asking,
): Promise<SearchAnswer> {
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
    // Skipped under a time limit: in a cold process it costs a sixth of a prompt's processor time.
    embedQuestion: left === undefined && inTime && embedQuestion ? (text) => unlessLate(embedQuestion(text), signal) : undefined,
    embedModel,
    ...given({ comparesAll: left === undefined ? undefined : (vectors: number) => comparingMs(vectors) + REST_MS <= left() }),
    ...{ project, personal },
    counts: false,
    bare: true,
  })
  const [first, ...others] = phrasings.map(({ text }) => text)
  const answer = await looking.search({
    query: first as string,
    queries: others,
    limit: HITS,
    explain: true,
    nearest: true,
    ...given({ prefer_project: project === undefined ? folder : undefined }),
  })
  if (signal?.aborted && !answer.mode.realized.startsWith('hybrid'))
    return { ...answer, mode: { ...answer.mode, realized: 'lexical: the model was late' } }
  return answer
}

/** Estimate for a cold process on a slow machine. With many vectors, bits are compared first. */
function comparingMs(vectors: number): number {
  return 20 + Math.min(vectors * 0.006, 180)
}

function unlessLate<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
    promise.then(resolve, reject)
  })
}

/** Reason to reject a hit: the session has it already, or it is foreign and was not asked for. */
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
