/** Searching and reading. Loads no adapter, no job and nothing that writes. */
import type { Embedder } from '../embed/embedder.ts'
import { modelName } from '../embed/embedding-options.ts'
import { knowsMeaning } from '../search/knows-meaning.ts'
import type { DocumentSource } from '../search/memory-get-document.ts'
import type { Mnemonic } from './mnemonic.ts'
import { type Home, once } from './open-home.ts'

interface Reading
  extends Pick<Mnemonic, 'search' | 'sessionSearch' | 'memorySearch' | 'memoryGet' | 'sessions' | 'sessionList' | 'show' | 'sql'> {
  /** Writes what searches have counted. */
  flush(): Promise<void>
}

export function reading(home: Home, embedder: Embedder | undefined): Reading {
  const { config, paths, clock, vectors } = home
  const agentId = config.agent
  const searching = once(async () => {
    const { searcher } = await import('../search/search.ts')
    const embedModel = (embedder ?? modelName(config.embedding)).model
    return searcher({ store: await home.current(), clock, owner: home.owner(), agentId, embedQuery: vectors.query, embedModel })
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
      async openPublished(path, reader) {
        const { openPublished } = await import('../artifacts/format/open-published.ts')
        return openPublished({ store, workspace: paths.workspace, agentId: reader }, path)
      },
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
    memoryGet: async (request) => (await import('../search/memory-get.ts')).memoryGet(await documents(), request),
    sessions: async (request) => [...(await sessionList(request)).sessions],
    sessionList,
    async show(id, options = {}) {
      const { citedBy } = await import('../search/memory-get.ts')
      const { show } = await import('../browse/show.ts')
      const cited = await citedBy(await documents(), id)
      if (cited !== undefined && 'document' in cited) return { kind: 'document', ...cited }
      return show(await home.open(), cited?.turnId ?? id, { ...options, agentId })
    },
    sql: async (query, options = {}) => (await import('../browse/sql.ts')).runSql(await home.current(), query, options),
    flush: async () => (await searching.made())?.flush(),
  }
}
