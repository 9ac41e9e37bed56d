/**
 * The library: one object over one home. The composition root below is the one place where configuration becomes objects. What a search
 * does not need is imported when it is called: a command lives for one call, and loading everything takes longer than most calls.
 */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Artifacts } from '../artifacts/artifacts.ts'
import type { SessionSummary, SessionsRequest, ShowAnswer, SourceInfo, SqlAnswer } from '../browse/browse.ts'
import { openConfig } from '../config/open-config.ts'
import { type Owner, resolveOwner } from '../config/owner.ts'
import { type Paths, resolvePaths } from '../config/paths.ts'
import type { Config } from '../config/schema.ts'
import type { SourceSwitch } from '../config/switch-source.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import type { OnProgress } from '../core/progress.ts'
import type { EmbedReport, EmbedStatus } from '../embed/embed-report.ts'
import type { Embedder } from '../embed/embedder.ts'
import { type EngineInUse, embedding } from '../embed/embedding.ts'
import { type EmbedRunOptions, modelName } from '../embed/embedding-options.ts'
import type { ForgetStep } from '../forget/context.ts'
import type { ForgetPlan, ForgetReport } from '../forget/forget.ts'
import type { ForgetRequest } from '../forget/request.ts'
import type { IndexReport, IndexStatusRow } from '../index/index-report.ts'
import type { QmdReport } from '../index/qmd-export.ts'
import type { Adapter } from '../ingest/adapter.ts'
import type { ValidationResult } from '../ingest/capture/validate-session-file.ts'
import type { SyncReport } from '../ingest/sync-report.ts'
import type { ForgetStages } from '../jobs/forget.ts'
import type { IndexedBy } from '../jobs/indexed-artifacts.ts'
import type { Stages } from '../jobs/stages.ts'
import type { BackupOptions, BackupReport } from '../operations/backup.ts'
import type { ExportOptions, ExportReport } from '../operations/export-all.ts'
import type { DoctorReport, HealthReport, StatusReport } from '../operations/report.ts'
import type { RestoreOptions, RestoreReport } from '../operations/restore.ts'
import type { UninstallOptions, UninstallReport } from '../operations/uninstall.ts'
import { knowsMeaning } from '../search/knows-meaning.ts'
import type { MemoryGetAnswer, MemoryGetRequest } from '../search/memory-get.ts'
import type { DocumentSource } from '../search/memory-get-document.ts'
import type { MemorySearchAnswer, MemorySearchRequest } from '../search/memory-search.ts'
import type { SearchAnswer, SearchRequest } from '../search/result.ts'
import type { SessionSearchAnswer, SessionSearchRequest } from '../search/session-search.ts'
import { interruptible } from '../store/interruptible.ts'
import type { Store } from '../store/store.ts'
import { safekeeping } from './safekeeping.ts'

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
  /** Told when the database is brought to this program's schema, with stage `migrate`; a large one takes minutes. */
  readonly onMigrate?: OnProgress
  /** Called before each step of forgetting. For tests of crashes. */
  readonly onForgetStep?: (step: ForgetStep) => void | Promise<void>
}

export interface SyncOptions {
  /** Names of adapters; all that are on when absent. */
  readonly adapters?: readonly string[]
  /** A file or folder to read instead of the default places. A file is read whatever source it is of; see `sources` for what a folder gives. */
  readonly path?: string
  /** Read again what size and time call unchanged: fills in what an older version did not store, and changes nothing else. */
  readonly reread?: boolean
  /** How long to wait for another process that syncs: 15 minutes when absent; with 0 JOB_RUNNING is thrown at once. */
  readonly waitMs?: number
  /** False leaves the vectors of what is new for later. */
  readonly embed?: boolean
  /** False leaves topics and decision flags of what is new for the next sync or index run. */
  readonly analyze?: boolean
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

/** How a caller hears of a job, and stops it. */
export interface JobHooks {
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
  readonly onProgress?: OnProgress
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
  /** Writes into config.yaml whether a sync reads this source; holds from the next opening on. */
  switchSource(name: string, enabled: boolean): Promise<SourceSwitch>
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
  show(id: string, options?: { raw?: boolean; branches?: boolean; tree?: boolean }): Promise<ShowAnswer | ShownDocument>
  index(options?: IndexOptions): Promise<IndexReport>
  indexStatus(): Promise<IndexStatusRow[]>
  /** Gives every chunk that waits its vector. */
  embed(options?: EmbedRunOptions): Promise<EmbedReport>
  embedStatus(): Promise<EmbedStatus>
  /** Writes the documents of turns as files for QMD; takes away those that are stale. */
  exportQmd(options?: ExportQmdOptions): Promise<QmdReport>
  /** Published history: what `mnemonic memory` does. `signal` ends what is under way at its next step. */
  artifacts(options?: JobHooks): Promise<Artifacts>
  /** Removes what is named, everywhere, and proves it; with `dryRun` says what would go. */
  forget(request: ForgetRequest): Promise<ForgetPlan | ForgetReport>
  /** Ends a forgetting that was interrupted; undefined when there is none. */
  resumeForgetting(options?: JobHooks): Promise<ForgetReport | undefined>
  /** Checks session files without importing them: `path`, else the default places of `jsonl`. */
  validate(path?: string): Promise<{ path: string; result: ValidationResult }[]>
  /** Writes everything, raw, into one file, while other processes go on. */
  backup(file: string, options?: BackupOptions): Promise<BackupReport>
  /** Puts a backup in the place of the database; undefined when `confirm` said no. What was forgotten stays forgotten. */
  restore(file: string, options?: RestoreOptions): Promise<RestoreReport | undefined>
  /** Writes everything in open formats, redacted. */
  export(options: ExportOptions): Promise<ExportReport>
  /** Says what of Mnemonic is on this machine; with `purge` removes its home. Close this object afterwards. */
  uninstall(options?: UninstallOptions): Promise<UninstallReport | undefined>
  status(): Promise<StatusReport>
  health(): Promise<HealthReport>
  doctor(): Promise<DoctorReport>
  sql(query: string, options?: { limit?: number }): Promise<SqlAnswer>
  close(): Promise<void>
}

/** Opens a home. The database is opened when the first call needs it, so that a broken one can still be diagnosed. */
export async function openMnemonic(options: OpenMnemonicOptions = {}): Promise<Mnemonic> {
  const paths = resolvePaths(options)
  const { config, warnings } = await openConfig({ paths, overrides: options.config, agent: options.agent })
  const clock = options.clock ?? systemClock
  let resolved: Owner | undefined
  const owner = () => {
    resolved ??= resolveOwner(config)
    return resolved
  }
  const adapters = async () => (await import('../ingest/captures.ts')).captures(config, paths)
  const qmdDir = config.qmd.dir ?? join(paths.home, config.agent === 'main' ? 'qmd' : `qmd-${config.agent}`)
  const opened = once(async (signal?: AbortSignal) =>
    (await import('../store/sqlite/open.ts')).openSqlite({ path: paths.database, clock, signal, onProgress: options.onMigrate }),
  )
  const storeFor = async (signal: AbortSignal | undefined) => interruptible(await opened.get(signal), signal)
  const vectors = embedding({
    ...{ config: config.embedding, paths, clock, embedder: options.embedder },
    agentId: config.agent === 'all' ? 'main' : config.agent,
    store: (signal) => opened.get(signal),
  })
  const searching = once(async () => {
    const embedModel = (options.embedder ?? modelName(config.embedding)).model
    const { searcher } = await import('../search/search.ts')
    return searcher({ store: await current(), clock, owner: owner(), agentId: config.agent, embedQuery: vectors.query, embedModel })
  })

  const artifactsOf = async (agentId: string, hooks: JobHooks = {}) =>
    openArtifacts({ store: await storeFor(hooks.signal), paths, config, clock }, agentId, hooks)
  const make = async (signal?: AbortSignal): Promise<ForgetStages> => {
    const made = await import('../jobs/stages.ts')
    return {
      ...made.stages({ store: await storeFor(signal), config, clock, owner: owner(), paths, embedding: vectors, qmdDir }),
      ...{ paths, timezone: owner().timezone, artifacts: artifactsOf },
      openCopy: async (path) => (await import('../store/sqlite/open.ts')).openSqlite({ path, clock }),
      ...(options.onForgetStep ? { onStep: options.onForgetStep } : {}),
    }
  }
  const { stages, current, ...forgetting } = fenced(make, (signal) => opened.get(signal), paths.memory)

  const search: Mnemonic['search'] = async (request) => {
    // In a thread of its own the model loads while this one opens the database.
    if (knowsMeaning(request.query)) vectors.prepare()
    return (await searching.get()).search({ limit: config.search.limit, ...request })
  }

  const documents = async () => documentSource(await stages(), paths)

  return {
    home: paths.home,
    workspace: paths.workspace,
    warnings,
    paths: () => ({ ...paths }),
    sources: async () => {
      const store = existsSync(paths.database) ? await opened.get() : undefined
      const { everySource } = await import('../browse/sources.ts')
      const { isEnabled } = await import('../jobs/chosen-sources.ts')
      return everySource(await adapters(), { store, enabled: (name) => isEnabled(config, name) })
    },
    switchSource: async (name, enabled) => (await import('../config/switch-source.ts')).switchSource(paths.config, name, enabled),
    sync: async (request = {}) => (await import('../jobs/sync.ts')).runSync(await stages(request.signal), request),
    search,
    sessionSearch: async (request) => (await import('../search/session-search.ts')).sessionSearch(search, await documents(), request),
    memorySearch: async (request) => (await import('../search/memory-search.ts')).memorySearch(search, await documents(), request),
    memoryGet: async (request) => (await import('../search/memory-get.ts')).memoryGet(await documents(), request),
    sessions: async (request = {}) => {
      const { listSessions } = await import('../browse/sessions.ts')
      return listSessions(await current(), request, { agentId: config.agent, timezone: owner().timezone, clock })
    },
    show: async (id, request = {}) => {
      const { citedBy } = await import('../search/memory-cited.ts')
      const { show } = await import('../browse/show.ts')
      const cited = await citedBy(await documents(), id)
      if (cited !== undefined && 'document' in cited) return { kind: 'document', ...cited }
      return show(await opened.get(), cited?.turnId ?? id, { ...request, agentId: config.agent })
    },
    index: async (request = {}) => (await import('../jobs/index.ts')).runIndex(await stages(request.signal), request),
    indexStatus: async () => (await stages()).indexer.status(),
    embed: async (request) => {
      await current(request?.signal)
      return vectors.run(request)
    },
    embedStatus: vectors.status,
    exportQmd: async (request = {}) => (await import('../jobs/export.ts')).runExportQmd(await stages(request.signal), request),
    artifacts: async (hooks = {}) => {
      const store = interruptible(await current(hooks.signal), hooks.signal)
      return searchable(await artifactsOf(config.agent, hooks), { store, clock, config, owner: owner(), hooks })
    },
    ...forgetting,
    validate: async (path) => validateFiles(await adapters(), path),
    ...safekeeping({ paths, config, clock, stages, current: async (signal) => interruptible(await current(signal), signal) }),
    ...inspection({ paths, config, clock, open: opened.get, current, adapters, engine: vectors.engine }),
    async close() {
      await (await searching.made())?.flush()
      await vectors.close()
      await (await opened.made())?.close()
    },
  }
}

function documentSource({ store, config, indexer }: Stages, paths: Paths): DocumentSource {
  return {
    ...{ store, buildDocument: indexer.buildDocument, agentId: config.agent },
    async openPublished(path, agentId) {
      const { openPublished } = await import('../artifacts/format/open-published.ts')
      return openPublished({ store, workspace: paths.workspace, agentId }, path)
    },
  }
}

async function searchable(artifacts: Artifacts, by: IndexedBy): Promise<Artifacts> {
  return (await import('../jobs/indexed-artifacts.ts')).indexedArtifacts(artifacts, by)
}

interface ArtifactsPlace extends Pick<Inspected, 'paths' | 'config' | 'clock'> {
  readonly store: Store
}

async function openArtifacts({ store, paths, config, clock }: ArtifactsPlace, agentId: string, hooks: JobHooks): Promise<Artifacts> {
  const { artifacts } = await import('../artifacts/artifacts.ts')
  const { ignoreMatcher } = await import('../config/ignore.ts')
  const { max_lines: maxLines, max_bytes: maxBytes, exclude, quiet_minutes: quiet } = config.memory
  const place = { store, workspace: paths.workspace, clock, agentId, quietMs: quiet * 60_000 }
  return artifacts({ ...place, budget: { maxLines, maxBytes }, exclude: ignoreMatcher(exclude), ...hooks })
}

interface Fenced extends Pick<Mnemonic, 'forget' | 'resumeForgetting'> {
  readonly stages: (signal?: AbortSignal) => Promise<Stages>
  /** The database for whoever only reads. */
  readonly current: (signal?: AbortSignal) => Promise<Store>
}

/** Whoever comes to the database by one of these finds nothing in it that was forgotten, here or in another copy of it. */
function fenced(
  make: (signal?: AbortSignal) => Promise<ForgetStages>,
  open: (signal?: AbortSignal) => Promise<Store>,
  memory: string,
): Fenced {
  const run = () => import('../jobs/forget.ts')
  async function stages(signal?: AbortSignal): Promise<ForgetStages> {
    const made = await make(signal)
    await (await run()).settleForgotten(made)
    return made
  }
  return {
    stages,
    async current(signal) {
      const store = await open(signal)
      // Where nothing was ever forgotten a search need not load what knows about it.
      if (!existsSync(join(memory, 'tombstones.jsonl'))) return store
      if (!(await (await import('../forget/honour.ts')).isSettled(store, dirname(memory)))) await stages(signal)
      return store
    },
    forget: async (request) => (await run()).runForget(await make(request.signal), request),
    resumeForgetting: async (hooks = {}) => (await run()).runResume(await make(hooks.signal), hooks),
  }
}

interface Inspected {
  readonly paths: Paths
  readonly config: Config
  readonly clock: Clock
  readonly open: () => Promise<Store>
  /** For what prints a text that was said. */
  readonly current: () => Promise<Store>
  readonly adapters: () => Promise<Adapter[]>
  readonly engine: () => Promise<EngineInUse>
}

/** What says how a home and its machine are. */
function inspection({
  paths,
  config,
  clock,
  open,
  current,
  adapters,
  engine,
}: Inspected): Pick<Mnemonic, 'status' | 'health' | 'doctor' | 'sql'> {
  return {
    status: async () => {
      const { statusReport } = await import('../operations/status.ts')
      const { packageVersion } = await import('../core/version.ts')
      const { indexIdentity } = await import('../index/identity.ts')
      const identity = indexIdentity(config.index.max_chunk_tokens)
      return statusReport(await open(), { version: packageVersion(), paths, agentId: config.agent, identity, clock })
    },
    health: async () => {
      const { healthReport } = await import('../operations/health.ts')
      return healthReport(open, {
        clock,
        places: paths,
        embeds: true,
        adapters: await adapters(),
        caps: { embedding: config.embedding, analyze: config.analyze },
      })
    },
    doctor: async () => {
      const { doctorReport } = await import('../operations/doctor.ts')
      const { isEnabled } = await import('../jobs/chosen-sources.ts')
      return doctorReport({
        paths,
        open,
        adapters: await adapters(),
        enabled: (name) => isEnabled(config, name),
        engine: (store) => store.diagnose(),
        embedding: engine,
      })
    },
    sql: async (query, request = {}) => (await import('../browse/sql.ts')).runSql(await current(), query, request),
  }
}

async function validateFiles(adapters: readonly Adapter[], path: string | undefined): ReturnType<Mnemonic['validate']> {
  const files: { path: string; result: ValidationResult }[] = []
  const plain = adapters.find((adapter) => adapter.name === 'jsonl')
  if (plain === undefined) return files
  const { validateSessionFile } = await import('../ingest/capture/validate-session-file.ts')
  const warn = () => undefined // a folder that cannot be listed shows up in `sources` and `sync`; here only files are judged
  for await (const unit of plain.discover(path === undefined ? { warn } : { path: resolve(path), warn })) {
    files.push({ path: unit.path, result: await validateSessionFile(unit.path) })
  }
  return files
}

/** Makes a thing when it is first asked for. A failure is not kept: the next call tries again. */
function once<T, A extends unknown[] = []>(
  make: (...given: A) => Promise<T>,
): { get: (...given: A) => Promise<T>; made: () => Promise<T | undefined> } {
  let made: Promise<T> | undefined
  return {
    get(...given) {
      made ??= make(...given).catch((error: unknown) => {
        made = undefined
        throw error
      })
      return made
    },
    made: async () => made,
  }
}
