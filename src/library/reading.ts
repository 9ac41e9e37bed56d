/** Loads no adapter, no job and nothing that writes. */
import { existsSync } from 'node:fs'
import type { ShownPages } from '../browse/browse.ts'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { asksForHistory, stateQuestion } from '../core/state-question.ts'
import type { Embedder } from '../embed/embedder.ts'
import { modelName } from '../embed/embedding-options.ts'
import { knowsMeaning } from '../search/knows-meaning.ts'
import type { SearchRequest } from '../search/result.ts'
import type { DocumentSource } from '../search/text-document.ts'
import type { Store } from '../store/store.ts'
import type { Mnemonic, ShownDocument } from './mnemonic.ts'
import { type Home, once } from './open-home.ts'

const turnShown = ({ turn_id: id }: { readonly turn_id: string }) => ({ kind: 'turn', id }) as const

function isHere({ turn_id, project }: { readonly turn_id: string; readonly project: string | null }): boolean {
  return turn_id !== '' && project !== null && !/^[\\/]{2}/.test(project) && existsSync(project)
}

/** "history of the retry queue" is answered in order of time, unless the request says how. */
function historyIfAsked<R extends { readonly query?: string; readonly by?: 'hit' | 'session' | 'history' }, A>(
  search: (request: R) => Promise<A>,
): (request: R) => Promise<A> {
  return async (request) =>
    search({ ...request, ...given({ by: request.by ?? (asksForHistory(request.query ?? '') ? 'history' : undefined) }) })
}

interface Reading
  extends Pick<
    Mnemonic,
    | 'search'
    | 'sessionSearch'
    | 'memorySearch'
    | 'each'
    | 'memoryGet'
    | 'sessions'
    | 'sessionList'
    | 'files'
    | 'why'
    | 'topics'
    | 'secrets'
    | 'events'
    | 'timeline'
    | 'show'
    | 'showPages'
    | 'resume'
    | 'leftOff'
    | 'sql'
  > {
  /** For internal use: checks no files, and keeps replaced decisions. */
  readonly plain: Mnemonic['search']
  flush(): Promise<void>
}

const searchEach = async () => (await import('../search/search-each.ts')).searchEach

export function reading(home: Home, embedder: Embedder | undefined): Reading {
  const { config, paths, clock } = home
  const agentId = config.agent
  const [asked, internal] = [false, true].map((keepsReplaced) => searching(home, { embedder, keepsReplaced })) as [Searching, Searching]

  const withFiles = withChanges(home, asked.search)
  /** Only a question about state loads its handler. */
  const found: Mnemonic['search'] = async (request) =>
    [request.query, ...(request.queries ?? [])].some((text) => text !== undefined && stateQuestion(text) !== undefined)
      ? (await import('./state-search.ts')).withState(home, request, withFiles)
      : withFiles(withoutHere(request))
  const search: Mnemonic['search'] = async (request) =>
    request.by === 'history' ? (await import('../search/history.ts')).inHistory(found, request) : found(request)
  const memorySearch: Mnemonic['memorySearch'] = async (request) =>
    (await import('../search/memory-search.ts')).memorySearch(search, await documents(), request)
  const sessionSearch: Mnemonic['sessionSearch'] = async (request) =>
    (await import('../search/session-search.ts')).sessionSearch(search, await documents(), request)
  const each: Mnemonic['each'] = {
    search: async (questions, request = {}) => (await searchEach())(search, questions, request),
    memorySearch: async (questions, request = {}) => (await searchEach())(historyIfAsked(memorySearch), questions, request),
    sessionSearch: async (questions, request = {}) => (await searchEach())(historyIfAsked(sessionSearch), questions, request),
  }

  async function documents(): Promise<DocumentSource> {
    const store = await home.current()
    const { documentOfTurn } = await import('../index/document-of-turn.ts')
    return {
      ...{ store, agentId, buildDocument: (turnId) => documentOfTurn(store, turnId) },
      async buildEpisode(id) {
        const { documentOfEpisode } = await import('../index/document-of-episode.ts')
        return documentOfEpisode(store, id, home.owner())
      },
      async openPublished(path, reader) {
        const { openPublished } = await import('../artifacts/format/open-published.ts')
        return openPublished({ store, workspace: paths.workspace, agentId: reader }, path)
      },
    }
  }

  async function sought(about: readonly string[]) {
    const { soughtBy } = await import('../search/sought.ts')
    return soughtBy(about, { store: await home.current(), owner: home.owner() })
  }

  async function cited(text: string, around?: number): Promise<ShownDocument | string> {
    const { citedBy } = await import('../search/memory-get.ts')
    const found = await citedBy(await documents(), text, given({ around }))
    return found !== undefined && 'document' in found ? { kind: 'document', ...found } : (found?.turnId ?? text)
  }

  /** Counts shown turns, but not those of a whole session. */
  async function* counted(store: Store, pages: ShownPages['pages']): ShownPages['pages'] {
    for await (const turns of pages) {
      await (await import('./note-returned.ts')).noteReturned(store, home, turns.map(turnShown))
      yield turns
    }
  }

  const sessionList: Mnemonic['sessionList'] = async (request = {}) => {
    const { listSessions } = await import('../browse/sessions.ts')
    return listSessions(await home.current(), request, { agentId, timezone: home.owner().timezone, clock })
  }

  return {
    ...{ search, plain: internal.search },
    ...{ sessionSearch, memorySearch, each },
    memoryGet: async (request) => (await import('../search/memory-get.ts')).memoryGet(await documents(), request, sought),
    sessions: async (request) => [...(await sessionList(request)).sessions],
    sessionList,
    ...listing(home),
    async show(id, options = {}) {
      const named = await cited(id, options.around)
      if (typeof named !== 'string') return named
      const store = await home.open()
      const shown = await (await import('../browse/show.ts')).show(store, named, { ...options, agentId })
      if (shown.kind === 'turn') await (await import('./note-returned.ts')).noteReturned(store, home, shown.turns.map(turnShown))
      return shown
    },
    async showPages(id, options = {}) {
      const named = await cited(id, options.around)
      if (typeof named !== 'string') return named
      const store = await home.open()
      const shown = await (await import('../browse/show.ts')).showPages(store, named, { ...options, agentId })
      return shown.kind === 'turn' ? { ...shown, pages: counted(store, shown.pages) } : shown
    },
    async resume(id) {
      const named = await cited(id)
      if (typeof named !== 'string' && named.document.session_id === '') throw noSession(named.document)
      const { resumeCommand } = await import('../browse/resume.ts')
      const of = typeof named === 'string' ? named : named.document.session_id
      return resumeCommand(await home.current(), of, agentId === 'all' ? undefined : agentId)
    },
    async leftOff(request = {}) {
      const { leftOff } = await import('../browse/left-off/left-off.ts')
      const { GIT_MS } = await import('./state-search.ts')
      const options = { agentId, timezone: home.owner().timezone, now: clock(), gitMs: GIT_MS }
      return leftOff(await home.current(), request, options)
    },
    async sql(query, options = {}) {
      const { runSql } = await import('../browse/sql.ts')
      return runSql(await home.current(), query, agentId === 'all' ? options : { ...options, agent: agentId })
    },
    flush: async () => {
      await asked.flush()
      await internal.flush()
    },
  }
}

type Searching = Pick<Reading, 'search' | 'flush'>

function searching(
  home: Home,
  { embedder, keepsReplaced }: { readonly embedder: Embedder | undefined; readonly keepsReplaced: boolean },
): Searching {
  const { config, clock, vectors } = home
  const opened = once(async () => {
    const { searcher } = await import('../search/search.ts')
    const embedModel = (embedder ?? modelName(config.embedding)).model
    const { queries: embedQueries, question: embedQuestion } = vectors
    const store = await home.current()
    return searcher({ store, clock, owner: home.owner(), agentId: config.agent, embedQueries, embedQuestion, embedModel, keepsReplaced })
  })
  return {
    async search(request) {
      // The model loads in its own thread while this one opens the database.
      if ([request.query, ...(request.queries ?? [])].some(knowsMeaning)) vectors.prepare()
      const answer = await (await opened.get()).search({ limit: config.search.limit, ...request })
      return answer.listed?.hits === 0 ? (await import('./nearest-to-listed.ts')).withNearest(home, answer, request) : answer
    },
    flush: async () => (await opened.made())?.flush(),
  }
}

function withoutHere({ here, ...request }: SearchRequest): SearchRequest {
  return request
}

function listing(home: Home): Pick<Reading, 'files' | 'why' | 'topics' | 'secrets' | 'events' | 'timeline'> {
  const { clock } = home
  const agentId = home.config.agent
  return {
    async files(request = {}) {
      const { listFiles } = await import('../search/files.ts')
      return listFiles(request, { store: await home.current(), clock, owner: home.owner(), agentId })
    },
    async why(request) {
      const { why } = await import('../browse/why/why.ts')
      return why(await home.current(), request, { agentId })
    },
    async topics(request = {}) {
      const { listTopics } = await import('../browse/topics.ts')
      return listTopics(await home.current(), request, { agentId, timezone: home.owner().timezone, clock })
    },
    async secrets(request = {}) {
      const { listSecrets } = await import('../browse/secrets.ts')
      return listSecrets(await home.current(), request, { agentId, timezone: home.owner().timezone, clock })
    },
    async events(request = {}) {
      const { listEvents } = await import('../browse/events.ts')
      return listEvents(await home.current(), request, { agentId, timezone: home.owner().timezone, clock })
    },
    async timeline(request = {}) {
      const { timeline } = await import('../browse/timeline/timeline.ts')
      const { ownHandles } = await import('../ledgers/people/own-handles.ts')
      const owner = home.owner()
      return timeline(await home.current(), request, { agentId, timezone: owner.timezone, clock, own: ownHandles(owner) })
    },
  }
}

function noSession({ id, source }: ShownDocument['document']): MnemonicError {
  const why =
    source === 'events'
      ? 'this is a conversation with people: only sessions of agents can be resumed'
      : `${id} is a document, which belongs to no session`
  return new MnemonicError('NOT_SUPPORTED', why, { details: { id }, hint: `Read it: mnemonic show ${id}` })
}

function withChanges(home: Home, search: Mnemonic['search']): Mnemonic['search'] {
  return async (request) => {
    const answer = await search(request)
    const turns = answer.results.filter(isHere).map(({ turn_id }) => turn_id)
    if (turns.length === 0) return answer
    const { changesSince } = await import('../browse/since.ts')
    const changes = await changesSince(await home.current(), turns, { agentId: request.filters?.agent ?? home.config.agent })
    if (changes.size === 0) return answer
    return { ...answer, results: answer.results.map((hit) => ({ ...hit, ...given({ changed_since: changes.get(hit.turn_id) }) })) }
  }
}
