/** The library: one object over one home. The composition root below is the one place where configuration becomes objects. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { SessionSummary, SessionsRequest, ShowAnswer, SourceInfo, SqlAnswer } from './browse/browse.ts'
import { listSessions } from './browse/sessions.ts'
import { show } from './browse/show.ts'
import { listSources } from './browse/sources.ts'
import { runSql } from './browse/sql.ts'
import { ignoreMatcher } from './config/ignore.ts'
import { loadConfig } from './config/load.ts'
import { resolveOwner } from './config/owner.ts'
import { type Paths, resolvePaths } from './config/paths.ts'
import type { Config } from './config/schema.ts'
import { type Clock, systemClock } from './core/clock.ts'
import type { OnProgress } from './core/progress.ts'
import { packageVersion } from './core/version.ts'
import type { EmbedReport, EmbedStatus } from './embed/embed-report.ts'
import type { Embedder } from './embed/embedder.ts'
import { type EmbedRunOptions, embedding } from './embed/embedding.ts'
import { modelName } from './embed/open-embedder.ts'
import { indexIdentity } from './index/identity.ts'
import type { IndexReport, IndexStatusRow } from './index/index-report.ts'
import { indexer } from './index/indexer.ts'
import type { QmdReport } from './index/qmd-export.ts'
import { workspaceIndexer } from './index/workspace-indexer.ts'
import { documentRoots } from './index/workspace-roots.ts'
import type { Adapter } from './ingest/adapter.ts'
import { claudeCode } from './ingest/capture/claude-code.ts'
import { jsonl } from './ingest/capture/jsonl.ts'
import { type ValidationResult, validateSessionFile } from './ingest/capture/validate-session-file.ts'
import type { SyncReport } from './ingest/sync-report.ts'
import { doctorReport } from './operations/doctor.ts'
import { healthReport } from './operations/health.ts'
import type { DoctorReport, HealthReport, StatusReport } from './operations/report.ts'
import { statusReport } from './operations/status.ts'
import { isEnabled, runExportQmd, runIndex, runSync, type Stages } from './pipeline.ts'
import { citedBy } from './search/memory-cited.ts'
import { type MemoryGetAnswer, type MemoryGetRequest, memoryGet } from './search/memory-get.ts'
import type { DocumentSource } from './search/memory-get-document.ts'
import { type MemorySearchAnswer, type MemorySearchRequest, memorySearch } from './search/memory-search.ts'
import type { SearchAnswer, SearchRequest } from './search/result.ts'
import { searcher } from './search/search.ts'
import { type SessionSearchAnswer, type SessionSearchRequest, sessionSearch } from './search/session-search.ts'
import { openSqlite } from './store/sqlite/open.ts'

export interface OpenMnemonicOptions {
  /** Default: MNEMONIC_HOME, else ~/.mnemonic. */
  readonly home?: string
  /** Default: MNEMONIC_WORKSPACE, else SIGNET_WORKSPACE, else ~/.agents. */
  readonly workspace?: string
  /** Overrides of single configuration keys, over config.yaml. */
  readonly config?: Readonly<Record<string, unknown>>
  /** The persona whose memory this is. Default: MNEMONIC_AGENT, else main. */
  readonly agent?: string
  readonly clock?: Clock
  /** Computes vectors instead of the configured model; the caller closes it. */
  readonly embedder?: Embedder
}

export interface SyncOptions {
  /** Names of adapters; all that are on when absent. */
  readonly adapters?: readonly string[]
  /** A file or folder to read instead of the default places. */
  readonly path?: string
  /** How long to wait for another process that syncs: 15 minutes when absent; with 0 JOB_RUNNING is thrown at once. */
  readonly waitMs?: number
  /** False leaves the vectors of what is new for later. */
  readonly embed?: boolean
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface IndexOptions {
  /** new: what changed (default); all: everything again; session: one. */
  readonly scope?: 'new' | 'all'
  readonly session?: string
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface ExportQmdOptions {
  /** Absolute. Default: qmd.dir of the configuration, else qmd/ in the home. */
  readonly dir?: string
  readonly signal?: AbortSignal
}

/** What `show` gives where a document that somebody wrote is named. */
export interface ShownDocument {
  readonly kind: 'document'
  readonly document: MemoryGetAnswer
}

export interface Mnemonic {
  readonly home: string
  readonly workspace: string
  readonly warnings: readonly string[]
  paths(): { home: string; workspace: string; database: string; config: string; models: string; logs: string; memory: string }
  sources(): Promise<SourceInfo[]>
  sync(options?: SyncOptions): Promise<SyncReport>
  search(request: SearchRequest): Promise<SearchAnswer>
  /** Session history only, with the inputs and outputs of the tool `session_search`. */
  sessionSearch(request: SessionSearchRequest): Promise<SessionSearchAnswer>
  /** Session history and documents, each hit with path and lines: the tool `memory_search`. */
  memorySearch(request: MemorySearchRequest): Promise<MemorySearchAnswer>
  /** The text of a document, or some of its lines: the tool `memory_get`. */
  memoryGet(request: MemoryGetRequest): Promise<MemoryGetAnswer>
  sessions(request?: SessionsRequest): Promise<SessionSummary[]>
  /** A session, turn or message by any of its names, or what a citation names. */
  show(id: string, options?: { raw?: boolean; branches?: boolean }): Promise<ShowAnswer | ShownDocument>
  index(options?: IndexOptions): Promise<IndexReport>
  indexStatus(): Promise<IndexStatusRow[]>
  /** Gives every chunk that waits its vector. */
  embed(options?: EmbedRunOptions): Promise<EmbedReport>
  embedStatus(): Promise<EmbedStatus>
  /** Writes the documents of turns as files for QMD; takes away those that are stale. */
  exportQmd(options?: ExportQmdOptions): Promise<QmdReport>
  /** Checks session files without importing them: `path`, else the default places of `jsonl`. */
  validate(path?: string): Promise<{ path: string; result: ValidationResult }[]>
  status(): Promise<StatusReport>
  health(): Promise<HealthReport>
  doctor(): Promise<DoctorReport>
  sql(query: string, options?: { limit?: number }): Promise<SqlAnswer>
  close(): Promise<void>
}

/** Opens a home. The database is opened when the first call needs it, so that a broken one can still be diagnosed. */
export async function openMnemonic(options: OpenMnemonicOptions = {}): Promise<Mnemonic> {
  const paths = resolvePaths(options)
  const { config, warnings } = loadConfig({ paths, overrides: options.config, agent: options.agent })
  const clock = options.clock ?? systemClock
  const owner = resolveOwner(config)
  const adapters = captures(config, paths)
  const qmdDir = config.qmd.dir ?? join(paths.home, config.agent === 'main' ? 'qmd' : `qmd-${config.agent}`)
  const opened = once(() => openSqlite({ path: paths.database, clock }))
  const vectors = embedding({
    ...{ config: config.embedding, paths, clock, embedder: options.embedder },
    agentId: config.agent === 'all' ? 'main' : config.agent,
    store: opened.get,
  })
  const searching = once(async () => {
    const embedModel = (options.embedder ?? modelName(config.embedding)).model
    return searcher({ store: await opened.get(), clock, owner, agentId: config.agent, embedQuery: vectors.query, embedModel })
  })

  async function stages(): Promise<Stages> {
    const store = await opened.get()
    const { max_chunk_tokens, max_chunks_per_session } = config.index
    const limits = { maxChunkTokens: max_chunk_tokens, maxChunksPerSession: max_chunks_per_session }
    const workspace = workspaceIndexer({
      ...{ store, clock, owner, maxChunkTokens: max_chunk_tokens },
      roots: documentRoots(paths.workspace, config.memory.paths),
      exclude: [paths.home, qmdDir],
      ignore: ignoreMatcher(config.ignore.projects),
    })
    return { store, config, adapters, clock, indexer: indexer({ store, clock, owner, ...limits }), workspace, embedding: vectors, qmdDir }
  }

  const search: Mnemonic['search'] = async (request) => (await searching.get()).search({ limit: config.search.limit, ...request })

  async function documents(): Promise<DocumentSource> {
    const { store, indexer: index, workspace } = await stages()
    return { store, buildDocument: index.buildDocument, readWorkspace: workspace.read, agentId: config.agent }
  }

  return {
    home: paths.home,
    workspace: paths.workspace,
    warnings,
    paths: () => ({ ...paths }),
    sources: async () => {
      const store = existsSync(paths.database) ? await opened.get() : undefined
      return listSources(adapters, { store, enabled: (name) => isEnabled(config, name) })
    },
    sync: async (request = {}) => runSync(await stages(), request),
    search,
    sessionSearch: async (request) => sessionSearch(search, await documents(), request),
    memorySearch: async (request) => memorySearch(search, await documents(), request),
    memoryGet: async (request) => memoryGet(await documents(), request),
    sessions: async (request = {}) => listSessions(await opened.get(), request, { agentId: config.agent, timezone: owner.timezone, clock }),
    show: async (id, request = {}) => {
      const cited = await citedBy(await documents(), id)
      if (cited !== undefined && 'document' in cited) return { kind: 'document', ...cited }
      return show(await opened.get(), cited?.turnId ?? id, { ...request, agentId: config.agent })
    },
    index: async (request = {}) => runIndex(await stages(), request),
    indexStatus: async () => (await stages()).indexer.status(),
    embed: vectors.run,
    embedStatus: vectors.status,
    exportQmd: async (request = {}) => runExportQmd(await stages(), request),
    validate: (path) => validateFiles(adapters, path),
    status: async () =>
      statusReport(await opened.get(), {
        version: packageVersion(),
        paths,
        agentId: config.agent,
        identity: indexIdentity(config.index.max_chunk_tokens),
        clock,
      }),
    health: () => healthReport(opened.get, { clock, embeds: true, caps: { embedding: config.embedding, analyze: config.analyze } }),
    doctor: () => doctorReport({ paths, open: opened.get, adapters, engine: (store) => store.diagnose() }),
    sql: async (query, request = {}) => runSql(await opened.get(), query, request),
    async close() {
      await (await searching.made())?.flush()
      await vectors.close()
      await (await opened.made())?.close()
    },
  }
}

/** Every capture there is, in the order they are asked whose file it is; the plainest format last. */
function captures(config: Config, paths: Paths): Adapter[] {
  const places = (name: 'claude-code' | 'jsonl') => config.sources[name].paths
  const claude = places('claude-code')
  return [
    claudeCode(claude.length > 0 ? { places: claude } : {}),
    jsonl({ places: places('jsonl').length > 0 ? places('jsonl') : [join(paths.workspace, 'sessions')] }),
  ]
}

async function validateFiles(adapters: readonly Adapter[], path: string | undefined): ReturnType<Mnemonic['validate']> {
  const files: { path: string; result: ValidationResult }[] = []
  const plain = adapters.find((adapter) => adapter.name === 'jsonl')
  if (plain === undefined) return files
  const warn = () => undefined // a folder that cannot be listed shows up in `sources` and `sync`; here only files are judged
  for await (const unit of plain.discover(path === undefined ? { warn } : { path: resolve(path), warn })) {
    files.push({ path: unit.path, result: await validateSessionFile(unit.path) })
  }
  return files
}

/** Makes a thing when it is first asked for. A failure is not kept: the next call tries again. */
function once<T>(make: () => Promise<T>): { get: () => Promise<T>; made: () => Promise<T | undefined> } {
  let made: Promise<T> | undefined
  return {
    get() {
      made ??= make().catch((error: unknown) => {
        made = undefined
        throw error
      })
      return made
    },
    made: async () => made,
  }
}
