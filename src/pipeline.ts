/** The long jobs that run several stages: sync and index. One of them at a time, whichever process starts it. */
import { ignoreMatcher } from './config/ignore.ts'
import type { Config } from './config/schema.ts'
import type { Clock } from './core/clock.ts'
import { asMnemonicError, MnemonicError } from './core/error.ts'
import type { IndexReport } from './index/index-report.ts'
import type { Indexer } from './index/indexer.ts'
import type { Adapter } from './ingest/adapter.ts'
import { syncSources } from './ingest/sync.ts'
import type { SyncReport } from './ingest/sync-report.ts'
import { endQuietSessions } from './ledgers/finish-session.ts'
import { resolveSession } from './ledgers/resolve.ts'
import type { IndexOptions, SyncOptions } from './mnemonic.ts'
import { finishJob, startJob } from './store/job.ts'
import { type Lease, withLease } from './store/lease.ts'
import type { Store } from './store/store.ts'

export interface Stages {
  readonly store: Store
  readonly config: Config
  readonly adapters: readonly Adapter[]
  readonly indexer: Indexer
  readonly clock: Clock
}

const LEASE_MS = 30_000
const WAIT_MS = 15 * 60_000

export async function runSync(stages: Stages, options: SyncOptions): Promise<SyncReport> {
  const { store, config, indexer, clock } = stages
  const adapters = chosen(stages, options)
  const quiet = { clock, quietMs: config.memory.quiet_minutes * 60_000 }
  return asJob(stages, 'sync', async (lease) => {
    const report = await syncSources({
      store,
      adapters,
      ...(options.path === undefined ? {} : { path: options.path, byContent: options.adapters === undefined }),
      ...quiet,
      ignore: ignoreMatcher(config.ignore.projects),
      guard: lease.check,
      afterGroup: async () => void (await indexer.tail({ lease, ...(options.signal ? { signal: options.signal } : {}) })),
      ...(options.onProgress ? { onProgress: options.onProgress } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    })
    await store.write(async (tx) => {
      await lease.check(tx)
      await endQuietSessions(tx, quiet)
    })
    // What an earlier run left behind when it was killed between a unit and its index.
    const indexed = await indexer.tail({ lease, ...(options.onProgress ? { onProgress: options.onProgress } : {}) })
    return { result: withWarnings(report, indexed.warnings), items: report.totals.imported }
  })
}

export async function runIndex(stages: Stages, options: IndexOptions): Promise<IndexReport> {
  const { store, indexer } = stages
  const hooks = { ...(options.onProgress ? { onProgress: options.onProgress } : {}), ...(options.signal ? { signal: options.signal } : {}) }
  const session = options.session === undefined ? undefined : (await resolveSession(store, options.session)).id
  return withLease(store, writerLease(stages.clock), async (lease) => {
    if (session !== undefined) return indexer.indexSession(session, { force: true, lease, ...hooks })
    if (options.scope !== 'all') return indexer.tail({ lease, ...hooks })
    const report = await indexer.backfill({ force: true, lease, ...hooks })
    await store.rebuildText()
    return report
  })
}

const writerLease = (clock: Clock) => ({ name: 'writer', clock, ttlMs: LEASE_MS, waitMs: WAIT_MS })

async function asJob<T>(stages: Stages, kind: string, work: (lease: Lease) => Promise<{ result: T; items: number }>): Promise<T> {
  const { store, clock, config } = stages
  return withLease(store, writerLease(clock), async (held) => {
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

/** The adapters a sync runs: those named (whether on or off), else all that are on. */
function chosen({ adapters, config }: Stages, options: SyncOptions): Adapter[] {
  if (options.adapters === undefined) return adapters.filter(({ name }) => isEnabled(config, name))
  const names = new Set(options.adapters.flatMap((name) => (name === 'aix-agents' ? adapters.map((adapter) => adapter.name) : [name])))
  for (const name of names) {
    if (adapters.some((adapter) => adapter.name === name)) continue
    throw new MnemonicError('USAGE', `there is no adapter ${JSON.stringify(name)}`, {
      details: { adapter: name },
      hint: `Known: ${adapters.map((adapter) => adapter.name).join(', ')}, and aix-agents for all of them.`,
    })
  }
  return adapters.filter((adapter) => names.has(adapter.name))
}

export function isEnabled(config: Config, name: string): boolean {
  return (config.sources as Record<string, { enabled?: boolean }>)[name]?.enabled ?? true
}

function withWarnings(report: SyncReport, warnings: readonly string[]): SyncReport {
  return { ...report, totals: { ...report.totals, warnings: [...report.totals.warnings, ...warnings] } }
}
