/** A search from request to answer. Writes nothing but the search log. */
import type { Clock } from '../core/clock.ts'
import { given } from '../core/given.ts'
import { isPersonalStatement } from '../core/stated-as.ts'
import { isoOrNull, toIso } from '../core/time.ts'
import { shortSessionIds } from '../ledgers/short-ids.ts'
import type { PersonalScope, ProjectScope } from '../store/lexical.ts'
import type { SearchNote } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import type { Ranked, Ranking } from './candidate.ts'
import { type CheckedRequest, checkRequest } from './check-request.ts'
import { corrected } from './correct.ts'
import { counted, findEach, fused, isListing, type Phrasing } from './find.ts'
import type { Gather } from './gather.ts'
import { bestOfEach, groupsOf } from './groups.ts'
import { type Intent, intentOf } from './intent.ts'
import { namedTimes } from './named-times.ts'
import type { Read } from './near-duplicates.ts'
import { type Owner, type People, people } from './person.ts'
import type { PersonalSetting } from './personal-scope.ts'
import { type Plan, planQuery } from './plan.ts'
import { present } from './present.ts'
import { type QueryEmbedder, type QueryVector, queryVectors, wordsOnly } from './query-vector.ts'
import type { Correction, SearchAnswer, SearchFilters, SearchGroup, SearchRequest, SearchResult } from './result.ts'
import { type Scope, scopeOf, within } from './scope.ts'
import { soughtIn } from './sought.ts'
import { type TimeAlone, timeAlone } from './time-alone.ts'
import { zoneOf } from './when-span.ts'
import { onlyWork, withWork } from './work/work.ts'

const LISTING: QueryVector = { vector: undefined, realized: 'lexical: a time alone is listed' }
const FUSED = 100
/** A capital, a word for the owner or a relative, or a question for a fact. */
const MAY_NAME = /\p{Lu}|(?<![\w'])(?:i|my|mom|mum|mommy|dad|daddy|does|did|is|was|has)(?!\w)|['’]s(?!\w)/u

export interface SearcherOptions extends QueryEmbedder {
  readonly store: Store
  readonly clock: Clock
  readonly owner: Owner
  readonly agentId: string
  /** Limits every request to this project. */
  readonly project?: ProjectScope | undefined
  /** Limits the messages, mail and calendars of every request. */
  readonly personal?: PersonalScope | undefined
  /** False: not logged, since nobody asked for this search. */
  readonly counts?: boolean
  /** Hits alone: no corrections, excerpts, context or discussions. For callers in a hurry that choose the sentences. */
  readonly bare?: boolean
  /** Keeps replaced decisions behind current ones; callers place them. `bare` implies it. */
  readonly keepsReplaced?: boolean
  /** Called before ranking: the benchmark fits the weights with it. */
  readonly inspect?: ((ranking: Ranking) => void) | undefined
}

export interface Searcher {
  search(request: SearchRequest): Promise<SearchAnswer>
  /** Waits for pending log entries; call it before the store closes. */
  flush(): Promise<void>
}

export function searcher(options: SearcherOptions): Searcher {
  const { store, clock, owner, agentId } = options
  const log = searchLog(store)
  return {
    flush: log.flush,
    async search(request) {
      const started = performance.now()
      const { queries: asked, filters, limit, explain, by, exact, nearest, preferProject: folder, personal, signal } = checkRequest(request)
      const everybody = people(store, owner)
      const left = options.personal ?? (await personalOf(asked, filters, { store, owner, setting: personal ?? 'always' }))
      const asAsked = await scopeOf(filters, { store, clock, owner, people: everybody, agentId })
      const filtered = withPersonal(inProject(asAsked, options.project), left)
      const day = exact || asked.length > 1 ? undefined : timeAlone(asked[0] as string, zoneOf(owner, clock()))
      const scope = day === undefined ? filtered : within(filtered, day)
      const asTyped = exact || options.bare
      const meant = asTyped || day ? [] : await Promise.all(asked.map((query) => corrected(query, { index: store, people: everybody })))
      const sure = day ? [day.rest] : asTyped ? asked : meant.map(({ query }) => query)
      // Filters of tool calls exclude all speech.
      const queries = onlyWork(filters) ? [] : sure
      const { phrasings, vectors } = await planned(queries, { ...options, scope, people: everybody, isListing: day !== undefined })
      const several = phrasings.length > 1
      const wanted = several || folder !== undefined ? Math.max(limit, FUSED) : limit
      const read: Read = new Map()
      const how = {
        by: several ? ('hit' as const) : by,
        byTime: day !== undefined,
        several,
        read,
        joins: options.bare !== true,
        exact,
        nearest,
        signal,
        wanted,
      }
      const own = scope.speaker && ownEmbedder(options, vectors)
      const { lists, all, hasWord } = await findEach(phrasings, { store, scope, own, inspect: options.inspect, ...how })
      const found = several ? await fused(store, lists, { ...how, limit: folder === undefined ? limit : wanted, by }) : (lists[0] ?? [])
      const ranked = folder === undefined || day ? found : await (await import('./prefer-project.ts')).preferProject(store, found, folder)
      const shown = by === 'session' ? bestOfEach(ranked, limit) : ranked.slice(0, limit)
      const hint =
        shown.length === 0 || (filters.topics ?? []).length > 1
          ? await (await import('./known-values.ts')).unknownFilters(filters, { store, people: everybody, agentId: scope.filter.agentId })
          : undefined
      const notes = Object.assign({}, ...phrasings.map(({ plan }) => plan.notes)) as Record<string, number>
      const sought = soughtIn(phrasings.map(({ plan }) => plan))
      const { results: presented, conversations } = await present(store, shown, {
        ...{
          explain,
          branches: filters.branches ?? false,
          notes,
          sought,
          owner,
          bare: options.bare,
          speaker: scope.speaker,
          forSession: by === 'session',
        },
      })
      const held = await replacedIn(store, presented, filtered)
      const said = held.length === 0 ? presented : await holding(options, presented, { replaced: held, asked })
      const worked = await withWork({ store, queries: day ? [''] : sure, filters, scope, limit, by, explain }, said)
      const { results, more } = worked
      const mode = modeOf(phrasings, scope, { ...options, exact, nearest, own })
      const left_out = results.length > 0 || hasWord || nearest || hint ? undefined : await leftOut(store, phrasings, exact)
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
      const grouped = groupsOf(results, { shown, all, work: worked.groups, conversations })
      const groups = options.bare
        ? grouped
        : await withSessionIds(store, await withDiscussions(store, grouped, { results, agentId: filters.agent ?? agentId }))
      const corrections = distinctCorrections(meant.flatMap((one) => one.corrections))
      return {
        ...{ query: asked[0] as string, queries: asked, mode: mode.answer, last_sync },
        ...{ matched: matchedBy(results, phrasings, scope), corrections, results, groups, more },
        ...given({ hint, left_out, known: await knownFor(options, asked, { filters, personal: personal ?? 'always' }) }),
        ...(day && !onlyWork(filters) ? { listed: listedOf(day, all) } : {}),
        ...given({ time: options.bare ? undefined : namedTimes(asked[0] as string, zoneOf(owner, clock()), day) }),
        ...(explain && several ? { phrasings: (await import('./phrasings.ts')).phrasingReports(asked, lists, shown) } : {}),
      }
    },
  }
}

async function leftOut(...of: Parameters<typeof import('./left-out.ts')['leftOut']>): Promise<SearchAnswer['left_out']> {
  return (await import('./left-out.ts')).leftOut(...of)
}

async function holding(
  { store, bare, keepsReplaced = bare }: SearcherOptions,
  presented: readonly SearchResult[],
  found: { readonly replaced: Awaited<ReturnType<typeof replacedIn>>; readonly asked: readonly string[] },
): Promise<SearchResult[]> {
  const { withWhatHolds } = await import('./what-holds.ts')
  return withWhatHolds(store, presented, { ...found, ...given({ keepsReplaced }) })
}

/** Looks up only texts that may name somebody. */
async function knownFor(
  { store, bare, agentId, clock }: SearcherOptions,
  asked: readonly string[],
  scope: { readonly filters: SearchFilters; readonly personal: PersonalSetting },
): Promise<SearchAnswer['known']> {
  if (bare || !asked.slice(0, 1).some((text) => MAY_NAME.test(text))) return undefined
  const { knownForSearch } = await import('./known/known-for-search.ts')
  return knownForSearch(store, { asked, ...scope, agentId, now: clock() })
}

/** A personal statement replaces no hit if it may not be read. */
async function replacedIn(store: Store, presented: readonly SearchResult[], { filter }: Scope) {
  const replaced = await store.rows.replaced(presented.flatMap(({ turn_id, message_ids }) => (turn_id === '' ? message_ids : [turn_id])))
  return filter.personal === undefined ? replaced : replaced.filter((by) => !isPersonalStatement({ unit: by.by_turn, rule: by.by_rule }))
}

function ownEmbedder({ embedQueries }: SearcherOptions, vectors: readonly QueryVector[]): Gather['own'] {
  const model = vectors.find(({ vector, ranksOnly }) => vector !== undefined && !ranksOnly)?.model
  return embedQueries === undefined || model === undefined ? undefined : { embed: embedQueries, model }
}

function inProject(scope: Scope, project: ProjectScope | undefined): Scope {
  return project === undefined ? scope : { ...scope, narrowed: true, filter: { ...scope.filter, project } }
}

function withPersonal(scope: Scope, personal: PersonalScope | undefined): Scope {
  return personal === undefined ? scope : { ...scope, filter: { ...scope.filter, personal } }
}

/** A person or channel in a filter counts as named. */
async function personalOf(
  asked: readonly string[],
  { channel, from, to, with: beside, entity }: SearchFilters,
  { store, owner, setting }: { readonly store: Store; readonly owner: Owner; readonly setting: PersonalSetting },
): Promise<PersonalScope | undefined> {
  const isFiltered = (channel ?? from ?? to ?? beside ?? entity) !== undefined
  if (setting === 'always' || (isFiltered && setting === 'named')) return undefined
  const { personalScope } = await import('./personal-scope.ts')
  return personalScope(store, asked, { setting, owner })
}

function returnedBy(results: readonly SearchResult[]): SearchNote['returned'] {
  const found = new Map<string, SearchNote['returned'][number]>()
  for (const { turn_id: turn, path } of results) {
    const episode = /^events\/[^/]+\/([0-9a-f]{32})\.md$/.exec(path)?.[1]
    if (turn !== '') found.set(turn, { kind: 'turn', id: turn })
    else if (episode !== undefined) found.set(episode, { kind: 'episode', id: episode })
  }
  return [...found.values()]
}

/** Groups to look up discussions for: each costs a query. */
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

function listedOf({ from, to, days }: TimeAlone, all: readonly Ranked[]): NonNullable<SearchAnswer['listed']> {
  const iso = (at: number) => (Number.isFinite(at) ? toIso(at) : null)
  const [talks, others] = [all.filter(({ isConversation }) => isConversation), all.filter(({ isConversation }) => !isConversation)]
  const counts = { hits: all.length, sessions: counted(others, 'session'), conversations: counted(talks, 'session') }
  return { days, from: iso(from), to: iso(to), ...counts }
}

function matchedBy(results: readonly SearchResult[], phrasings: readonly Phrasing[], scope: Scope): SearchAnswer['matched'] {
  if (results.length === 0) return 'none'
  if (results.some(({ matched }) => matched.length > 0)) return 'words'
  // Without a phrasing only tool calls were searched; `matched` has the words that found them.
  if (phrasings.length === 0 || phrasings.some(({ plan }) => isListing(plan, scope))) return 'listed'
  return phrasings.some(({ embedded }) => embedded.vector !== undefined) ? 'meaning' : 'none'
}

function distinctCorrections(all: readonly Correction[]): Correction[] {
  return [...new Map(all.map((one) => [one.typed, one])).values()]
}

function modeOf(
  phrasings: readonly Phrasing[],
  scope: Scope,
  {
    embedQueries,
    exact,
    nearest,
    own,
  }: Pick<SearcherOptions, 'embedQueries'> & Pick<CheckedRequest, 'exact' | 'nearest'> & Pick<Gather, 'own'>,
): { readonly answer: SearchAnswer['mode']; readonly hybrid: boolean } {
  const requested = embedQueries ? 'hybrid' : 'lexical'
  let said: { readonly answer: SearchAnswer['mode']; readonly hybrid: boolean } | undefined
  for (const { plan, embedded } of phrasings) {
    const { vector, realized, model } = embedded
    const only = {
      speaker: scope.speaker !== undefined && own?.isMissing !== false,
      phrase: !nearest && plan.all.length > 0,
      exact: !nearest && exact,
    }
    const onlyWords = vector && wordsOnly(only)
    const hybrid = vector !== undefined && onlyWords === undefined
    if (said === undefined || (hybrid && !said.hybrid))
      said = { answer: { requested, realized: onlyWords ?? realized, ...given({ model }) }, hybrid }
  }
  return said ?? { answer: { requested, realized: 'lexical: tool calls have no vectors' }, hybrid: false }
}

async function withSessionIds(store: Store, groups: readonly SearchGroup[]): Promise<readonly SearchGroup[]> {
  const whole = groups.filter(({ id, session_id }) => session_id !== '' && id === session_id).map(({ id }) => id)
  if (whole.length === 0) return groups
  const sessions = await store.read.selectFrom('agent_sessions').select(['id', 'native_id']).where('id', 'in', whole).execute()
  const short = await shortSessionIds(store, sessions)
  return groups.map((group) => ({ ...group, id: short.get(group.id) ?? group.id }))
}

interface SearchLog {
  add(note: SearchNote): void
  flush(): Promise<void>
}

/** A log entry must not delay the process noticeably. */
const PATIENCE_MS = 100

function searchLog(store: Store): SearchLog {
  const waiting = new Set<Promise<void>>()
  async function write(note: SearchNote): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve)) // the answer goes first
    await store.noteSearch(note, { patienceMs: PATIENCE_MS })
  }
  return {
    add(note) {
      // A busy or read-only database loses only the log entry.
      const written = write(note).catch(() => undefined)
      waiting.add(written)
      void written.then(() => waiting.delete(written))
    },
    async flush() {
      await Promise.all(waiting)
    },
  }
}

interface Planning extends SearcherOptions {
  readonly scope: Scope
  readonly people: People
  readonly isListing: boolean
}

/** Embedding runs in another thread meanwhile. */
async function planned(queries: readonly string[], { scope, people, isListing, ...options }: Planning) {
  const { store, owner, clock } = options
  const intents: Intent[] = []
  for (const query of queries) intents.push(await intentOf(query, { store, people, owner, scope, now: clock() }))
  const embedding = isListing ? Promise.resolve([LISTING]) : queryVectors(store, intents, options)
  embedding.catch(() => undefined) // awaited below; without this, a rejection after another error is "unhandled" and ends the process
  const plans: Plan[] = []
  for (const query of queries) plans.push(await planQuery(query, store.lexical, people))
  const vectors = await embedding
  const phrasings = plans.map((plan, i) => ({ plan, intent: intents[i] as Intent, embedded: vectors[i] as QueryVector }))
  return { phrasings, vectors }
}
