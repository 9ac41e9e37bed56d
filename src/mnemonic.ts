/** The library: one object over one home. The composition root below is the one place where configuration becomes objects. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionSummary, SessionsRequest, ShowAnswer, SourceInfo, SqlAnswer } from './browse/browse.ts'
import { listSessions } from './browse/sessions.ts'
import { show } from './browse/show.ts'
import { listSources } from './browse/sources.ts'
import { runSql } from './browse/sql.ts'
import { loadConfig } from './config/load.ts'
import { resolveOwner } from './config/owner.ts'
import { type Paths, resolvePaths } from './config/paths.ts'
import type { Config } from './config/schema.ts'
import { type Clock, systemClock } from './core/clock.ts'
import type { OnProgress } from './core/progress.ts'
import { packageVersion } from './core/version.ts'
import { indexIdentity } from './index/identity.ts'
import type { IndexReport, IndexStatusRow } from './index/index-report.ts'
import { indexer } from './index/indexer.ts'
import type { Adapter } from './ingest/adapter.ts'
import { claudeCode } from './ingest/capture/claude-code.ts'
import { jsonl } from './ingest/capture/jsonl.ts'
import { type ValidationResult, validateSessionFile } from './ingest/capture/validate-session-file.ts'
import type { SyncReport } from './ingest/sync-report.ts'
import { doctorReport } from './operations/doctor.ts'
import { healthReport } from './operations/health.ts'
import type { DoctorReport, HealthReport, StatusReport } from './operations/report.ts'
import { statusReport } from './operations/status.ts'
import { isEnabled, runIndex, runSync, type Stages } from './pipeline.ts'
import type { SearchAnswer, SearchRequest } from './search/result.ts'
import { searcher } from './search/search.ts'
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
}

export interface SyncOptions {
  /** Names of adapters; all that are on when absent. */
  readonly adapters?: readonly string[]
  /** A file or folder to read instead of the default places. */
  readonly path?: string
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

export interface Mnemonic {
  readonly home: string
  readonly workspace: string
  readonly warnings: readonly string[]
  paths(): { home: string; workspace: string; database: string; config: string; models: string; logs: string; memory: string }
  sources(): Promise<SourceInfo[]>
  sync(options?: SyncOptions): Promise<SyncReport>
  search(request: SearchRequest): Promise<SearchAnswer>
  sessions(request?: SessionsRequest): Promise<SessionSummary[]>
  show(id: string, options?: { raw?: boolean; branches?: boolean }): Promise<ShowAnswer>
  index(options?: IndexOptions): Promise<IndexReport>
  indexStatus(): Promise<IndexStatusRow[]>
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
  const opened = once(() => openSqlite({ path: paths.database, clock }))
  const searching = once(async () => searcher({ store: await opened.get(), clock, owner, agentId: config.agent }))

  async function stages(): Promise<Stages> {
    const store = await opened.get()
    const { max_chunk_tokens, max_chunks_per_session } = config.index
    const limits = { maxChunkTokens: max_chunk_tokens, maxChunksPerSession: max_chunks_per_session }
    return { store, config, adapters, clock, indexer: indexer({ store, clock, owner, ...limits }) }
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
    search: async (request) => (await searching.get()).search({ limit: config.search.limit, ...request }),
    sessions: async (request = {}) => listSessions(await opened.get(), request, { agentId: config.agent, timezone: owner.timezone, clock }),
    show: async (id, request = {}) => show(await opened.get(), id, { ...request, agentId: config.agent }),
    index: async (request = {}) => runIndex(await stages(), request),
    indexStatus: async () => (await stages()).indexer.status(),
    validate: (path) => validateFiles(adapters, path),
    status: async () =>
      statusReport(await opened.get(), {
        version: packageVersion(),
        paths,
        agentId: config.agent,
        identity: indexIdentity(config.index.max_chunk_tokens),
        clock,
      }),
    health: () => healthReport(opened.get, { clock, caps: { embedding: config.embedding, analyze: config.analyze } }),
    doctor: () => doctorReport({ paths, open: opened.get, adapters, engine: (store) => store.diagnose() }),
    sql: async (query, request = {}) => runSql(await opened.get(), query, request),
    async close() {
      await (await searching.made())?.flush()
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
  for await (const unit of plain.discover(path === undefined ? { warn } : { path, warn })) {
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
