/** Searching and reading. Loads no adapter, no job and nothing that writes. */
import type { ShownPages } from '../browse/browse.ts'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import type { Embedder } from '../embed/embedder.ts'
import { modelName } from '../embed/embedding-options.ts'
import { knowsMeaning } from '../search/knows-meaning.ts'
import type { DocumentSource } from '../search/text-document.ts'
import type { Store } from '../store/store.ts'
import type { Mnemonic, ShownDocument } from './mnemonic.ts'
import { type Home, once } from './open-home.ts'

const turnShown = ({ turn_id: id }: { readonly turn_id: string }) => ({ kind: 'turn', id }) as const

interface Reading
  extends Pick<
    Mnemonic,
    | 'search'
    | 'sessionSearch'
    | 'memorySearch'
    | 'memoryGet'
    | 'sessions'
    | 'sessionList'
    | 'files'
    | 'topics'
    | 'events'
    | 'timeline'
    | 'show'
    | 'showPages'
    | 'resume'
    | 'sql'
  > {
  /** Writes what searches have counted. */
  flush(): Promise<void>
}

export function reading(home: Home, embedder: Embedder | undefined): Reading {
  const { config, paths, clock, vectors } = home
  const agentId = config.agent
  const searching = once(async () => {
    const { searcher } = await import('../search/search.ts')
    const embedModel = (embedder ?? modelName(config.embedding)).model
    const { queries: embedQueries, question: embedQuestion } = vectors
    return searcher({ store: await home.current(), clock, owner: home.owner(), agentId, embedQueries, embedQuestion, embedModel })
  })

  const search: Mnemonic['search'] = async (request) => {
    // In a thread of its own the model loads while this one opens the database.
    if ([request.query, ...(request.queries ?? [])].some(knowsMeaning)) vectors.prepare()
    return (await searching.get()).search({ limit: config.search.limit, ...request })
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

  /** The document that a citation names, or what else is meant: the id of its turn, or the text itself. */
  async function cited(text: string, around?: number): Promise<ShownDocument | string> {
    const { citedBy } = await import('../search/memory-get.ts')
    const found = await citedBy(await documents(), text, given({ around }))
    return found !== undefined && 'document' in found ? { kind: 'document', ...found } : (found?.turnId ?? text)
  }

  /** A turn that was asked for counts when it is shown; of a whole session none was. */
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
    search,
    sessionSearch: async (request) => (await import('../search/session-search.ts')).sessionSearch(search, await documents(), request),
    memorySearch: async (request) => (await import('../search/memory-search.ts')).memorySearch(search, await documents(), request),
    memoryGet: async (request) => (await import('../search/memory-get.ts')).memoryGet(await documents(), request, sought),
    sessions: async (request) => [...(await sessionList(request)).sessions],
    sessionList,
    async files(request = {}) {
      const { listFiles } = await import('../search/files.ts')
      return listFiles(request, { store: await home.current(), clock, owner: home.owner(), agentId })
    },
    async topics(request = {}) {
      const { listTopics } = await import('../browse/topics.ts')
      return listTopics(await home.current(), request, { agentId, timezone: home.owner().timezone, clock })
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
    sql: async (query, options = {}) => (await import('../browse/sql.ts')).runSql(await home.current(), query, options),
    flush: async () => (await searching.made())?.flush(),
  }
}

function noSession({ id, source }: ShownDocument['document']): MnemonicError {
  const why =
    source === 'events'
      ? 'this is a conversation with people: only sessions of agents can be resumed'
      : `${id} is a document, which belongs to no session`
  return new MnemonicError('NOT_SUPPORTED', why, { details: { id }, hint: `Read it: mnemonic show ${id}` })
}
