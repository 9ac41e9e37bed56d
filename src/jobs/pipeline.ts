/** The long jobs that run several stages: sync and index. One of them at a time, whichever process starts it. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ignoreMatcher } from '../config/ignore.ts'
import type { Config } from '../config/schema.ts'
import { HARNESS_SOURCES, PERSONAL_SOURCES } from '../config/source-names.ts'
import type { Clock } from '../core/clock.ts'
import { asMnemonicError, MnemonicError } from '../core/error.ts'
import type { Embedding } from '../embed/embedding.ts'
import type { IndexReport } from '../index/index-report.ts'
import type { Indexer } from '../index/indexer.ts'
import { exportQmd, type QmdReport } from '../index/qmd-export.ts'
import type { WorkspaceIndexer, WorkspaceReport } from '../index/workspace-indexer.ts'
import type { Adapter } from '../ingest/adapter.ts'
import { AIX_EVENTS, deriveEvents } from '../ingest/events/aix-events.ts'
import { projectLocator } from '../ingest/project-of.ts'
import { syncSources } from '../ingest/sync.ts'
import type { AdapterReport, SyncReport } from '../ingest/sync-report.ts'
import { endQuietSessions } from '../ledgers/finish-session.ts'
import { resolveSession } from '../ledgers/resolve.ts'
import { unifyProjects } from '../ledgers/unify-projects.ts'
import { finishJob, startJob } from '../store/job.ts'
import { type Lease, withLease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import type { ExportQmdOptions, IndexOptions, JobHooks, SyncOptions } from './options.ts'

export interface Stages {
  readonly store: Store
  readonly config: Config
  readonly adapters: readonly Adapter[]
  readonly indexer: Indexer
  readonly workspace: WorkspaceIndexer
  readonly embedding: Embedding
  readonly clock: Clock
  /** Where the QMD export goes, unless a call names another place. */
  readonly qmdDir: string
}

const LEASE_MS = 30_000
const WAIT_MS = 15 * 60_000

export async function runSync(stages: Stages, options: SyncOptions): Promise<SyncReport> {
  const { store, config, indexer, clock } = stages
  const adapters = chosen(stages, options)
  const quiet = { clock, quietMs: config.memory.quiet_minutes * 60_000 }
  const hooks = { ...(options.onProgress ? { onProgress: options.onProgress } : {}), ...(options.signal ? { signal: options.signal } : {}) }
  const { analyze = true } = options
  const synced = await asJob(stages, { kind: 'sync', waitMs: options.waitMs, ...hooks }, async (lease) => {
    const said: string[] = []
    const report = await syncSources({
      store,
      adapters,
      dormant: stages.adapters.filter((adapter) => !adapters.includes(adapter) && mayBeRead(adapter, options)),
      needsConsent: ({ name }) => isPersonal(name),
      reread: options.reread ?? false,
      ...(options.path === undefined
        ? {}
        : { path: resolve(options.path), byContent: options.adapters === undefined || options.adapters.includes(AIX_AGENTS) }),
      ...quiet,
      ignore: ignoreMatcher(config.ignore.projects),
      guard: lease.check,
      afterGroup: async () =>
        void said.push(...(await indexer.tail({ lease, analyze, ...(options.signal ? { signal: options.signal } : {}) })).warnings),
      ...hooks,
    })
    await store.write(async (tx) => {
      await lease.check(tx)
      await endQuietSessions(tx, quiet)
    })
    await unifyProjects(store, { locate: projectLocator(), guard: lease.check })
    // What an earlier run left behind when it was killed between a unit and its index.
    const indexed = await indexer.tail({ lease, analyze, ...hooks })
    const derived = derivesEvents(config, options) ? await deriveEvents({ store, clock, guard: lease.check, ...hooks }) : undefined
    const documents = readsDocuments(options) ? await syncDocuments(stages, { lease, analyze, ...hooks }) : undefined
    const found = options.adapters === undefined ? withoutSilent(report) : report
    const read = documents === undefined ? found : withAdapter(found, documents)
    // It reads no source: what it does is told, and stays out of the sums.
    const whole = derived === undefined ? read : { ...read, adapters: [...read.adapters, derived] }
    const exported = config.qmd.enabled ? await exportAfterSync(stages, options.signal) : []
    return { result: withWarnings(whole, [...new Set([...said, ...indexed.warnings]), ...exported]), items: whole.totals.imported }
  })
  // After the job: what is new can be searched already, and another sync need not wait for vectors.
  if (options.embed === false) return synced
  const { warnings, newlyFailed } = await stages.embedding.afterSync(hooks)
  return { ...withWarnings(synced, warnings), newly_failed_chunks: newlyFailed }
}

export async function runIndex(stages: Stages, options: IndexOptions): Promise<IndexReport> {
  const { store, indexer } = stages
  const hooks = { ...(options.onProgress ? { onProgress: options.onProgress } : {}), ...(options.signal ? { signal: options.signal } : {}) }
  const session = options.session === undefined ? undefined : (await resolveSession(store, options.session)).id
  const indexed = await withLease(store, { ...writerLease(stages.clock), job: 'index', ...hooks }, async (lease) => {
    if (session !== undefined) return indexer.indexSession(session, { force: true, lease, ...hooks })
    const all = options.scope === 'all'
    const sessions = all ? await indexer.backfill({ force: true, lease, ...hooks }) : await indexer.tail({ lease, ...hooks })
    const report = withDocuments(sessions, await stages.workspace.run({ force: all, lease, ...hooks }))
    if (all) await store.rebuildText()
    return report
  })
  // Chunks that were written again wait for the vectors they had: those are known, and given back without embedding.
  return { ...indexed, warnings: [...indexed.warnings, ...(await stages.embedding.afterSync(hooks)).warnings] }
}

/** Indexes what the ledger has and the index has not; no vectors are computed. */
export async function runTail({ store, indexer, clock }: Stages, { signal, onProgress }: JobHooks = {}): Promise<IndexReport> {
  return withLease(store, { ...writerLease(clock), job: 'index', signal, onProgress }, (lease) => indexer.tail({ lease }))
}

/** Writes the QMD export, alone: no sync changes the documents meanwhile. */
export async function runExportQmd(stages: Stages, options: ExportQmdOptions): Promise<QmdReport> {
  const { signal, onProgress } = options
  return withLease(stages.store, { ...writerLease(stages.clock), job: 'export qmd', signal, onProgress }, () => writeQmd(stages, options))
}

/** The same for whoever holds the lease already. */
export async function runExportQmdAlone(stages: Stages): Promise<QmdReport> {
  return writeQmd(stages, {})
}

function writeQmd({ store, indexer, config, qmdDir }: Stages, { dir = qmdDir, signal }: ExportQmdOptions): Promise<QmdReport> {
  const agentId = config.agent === 'all' ? undefined : config.agent
  return exportQmd({ store, buildDocument: indexer.buildDocument, dir, agentId, signal })
}

/** A folder that cannot be written is no reason to call the sync failed. */
async function exportAfterSync(stages: Stages, signal: AbortSignal | undefined): Promise<readonly string[]> {
  try {
    return (await writeQmd(stages, signal ? { signal } : {})).warnings
  } catch (thrown) {
    const error = asMnemonicError(thrown)
    if (error.code === 'INTERRUPTED') throw thrown
    return [`the QMD export failed: ${error.message}`]
  }
}

/** Documents are read unless the caller asks for something else: `memory` is their name as a source. */
function readsDocuments({ adapters, path }: SyncOptions): boolean {
  return path === undefined && (adapters === undefined || adapters.includes(DOCUMENTS))
}

const DOCUMENTS = 'memory'
/** All captures of harnesses together. */
const AIX_AGENTS = 'aix-agents'

/** Every sync brings the events up to date, unless they are off or the caller asks for something else. */
function derivesEvents(config: Config, { adapters }: SyncOptions): boolean {
  return adapters === undefined ? isEnabled(config, AIX_EVENTS) : adapters.some((name) => name === AIX_EVENTS || name === AIX_AGENTS)
}

async function syncDocuments({ workspace }: Stages, hooks: Parameters<WorkspaceIndexer['run']>[0]): Promise<AdapterReport | undefined> {
  const started = performance.now()
  const { found, imported, unchanged, removed, chunks, bytesRead, warnings } = await workspace.run(hooks)
  if (found + removed + warnings.length === 0) return undefined
  const counts = { found, imported, unchanged, quarantined: 0, records: chunks, repeated: 0, skipped_lines: 0, bytes_read: bytesRead }
  return { name: DOCUMENTS, ...counts, duration_ms: Math.round(performance.now() - started), warnings }
}

/** Sources of which there is nothing on this machine are not worth a line each. */
function withoutSilent(report: SyncReport): SyncReport {
  return { ...report, adapters: report.adapters.filter(({ found, warnings }) => found > 0 || warnings.length > 0) }
}

function withAdapter(report: SyncReport, adapter: AdapterReport): SyncReport {
  const { name: _, warnings, ...counts } = adapter
  const totals = { ...report.totals, warnings: [...report.totals.warnings, ...warnings] }
  for (const key of Object.keys(counts) as (keyof typeof counts)[]) totals[key] += counts[key]
  return { ...report, adapters: [...report.adapters, adapter], totals }
}

function withDocuments(report: IndexReport, documents: WorkspaceReport): IndexReport {
  return {
    ...report,
    documents: report.documents + documents.imported,
    chunks: report.chunks + documents.chunks,
    unchanged: report.unchanged + documents.unchanged,
    removed: report.removed + documents.removed,
    warnings: [...report.warnings, ...documents.warnings],
  }
}

const writerLease = (clock: Clock, waitMs = WAIT_MS) => ({ name: 'writer', clock, ttlMs: LEASE_MS, waitMs })

interface Job extends JobHooks {
  readonly kind: string
  readonly waitMs: number | undefined
}

async function asJob<T>(
  stages: Stages,
  { kind, waitMs, ...hooks }: Job,
  work: (lease: Lease) => Promise<{ result: T; items: number }>,
): Promise<T> {
  const { store, clock, config } = stages
  return withLease(store, { ...writerLease(clock, waitMs), job: kind, ...hooks }, async (held) => {
    const id = await startJob(store, { kind, agentId: config.agent === 'all' ? 'main' : config.agent, clock, lease: held })
    try {
      const { result, items } = await work(held)
      await finishJob(store, id, { status: 'done', items, clock })
      return result
    } catch (error) {
      const status = asMnemonicError(error).code === 'INTERRUPTED' ? 'interrupted' : 'failed'
      // The error of the work is the one to know of; a database that cannot take this note shows itself in `health`.
      await finishJob(store, id, { status, items: 0, error, clock }).catch(() => undefined)
      throw error
    }
  })
}

/** The adapters a sync runs: those named (whether on or off), all for a file that is named itself, else all that are on. */
function chosen({ adapters, config }: Stages, options: SyncOptions): Adapter[] {
  if (options.adapters === undefined && isFile(options.path)) return [...adapters]
  if (options.adapters === undefined) return adapters.filter(({ name }) => isOn(config, name))
  const names = new Set(options.adapters.flatMap((name) => (name === AIX_AGENTS ? adapters.map(byName).filter(isHarness) : [name])))
  for (const name of names) {
    if (name === DOCUMENTS || name === AIX_EVENTS || adapters.some((adapter) => adapter.name === name)) continue
    throw new MnemonicError('USAGE', `there is no adapter ${JSON.stringify(name)}`, {
      details: { adapter: name },
      hint: `Known: ${adapters.map(byName).join(', ')}; aix-agents stands for all harnesses, aix-events for the events derived from them, memory for documents.`,
    })
  }
  return adapters.filter((adapter) => names.has(adapter.name))
}

const byName = ({ name }: Adapter) => name

/** To name a file is to ask for it, whatever it is. A folder may hold what nobody thought of. */
function isFile(path: string | undefined): boolean {
  return path !== undefined && (statSync(resolve(path), { throwIfNoEntry: false })?.isFile() ?? false)
}

/** Those that are off have their say unless the caller named others. */
function mayBeRead({ name }: Adapter, { adapters }: SyncOptions): boolean {
  return adapters === undefined || (adapters.includes(AIX_AGENTS) && isHarness(name))
}

/** Read only with the owner's consent. */
function isPersonal(name: string): boolean {
  return PERSONAL_SOURCES.some((personal) => personal === name)
}

/** What is read unless it is switched off; the rest is personal, and read only when it is switched on or named. */
function isHarness(name: string): boolean {
  return name === AIX_AGENTS || HARNESS_SOURCES.some((harness) => harness === name)
}

function isOn(config: Config, name: string): boolean {
  return isEnabled(config, name) && (!isHarness(name) || isEnabled(config, AIX_AGENTS))
}

export function isEnabled(config: Config, name: string): boolean {
  return (config.sources as Record<string, { enabled?: boolean }>)[name]?.enabled ?? true
}

function withWarnings(report: SyncReport, warnings: readonly string[]): SyncReport {
  return { ...report, totals: { ...report.totals, warnings: [...report.totals.warnings, ...warnings] } }
}
