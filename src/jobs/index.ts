import { ignoreMatcher } from '../config/ignore.ts'
import { given } from '../core/given.ts'
import type { IndexReport } from '../index/index-report.ts'
import { syncSources } from '../ingest/sync.ts'
import type { SyncReport } from '../ingest/sync-report.ts'
import { resolveSession } from '../ledgers/resolve.ts'
import { runJob } from '../store/job.ts'
import type { Lease } from '../store/lease.ts'
import { META, readMeta, removeMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import type { IndexOptions, JobHooks } from './options.ts'
import type { Stages } from './stages.ts'

export async function runIndex(stages: Stages, options: IndexOptions): Promise<IndexReport> {
  const { store, indexer, clock, embedding } = stages
  const hooks = given({ onProgress: options.onProgress, signal: options.signal })
  const session = options.session === undefined ? undefined : (await resolveSession(store, options.session)).id
  const indexed = await runJob(store, { job: 'index', clock, ...hooks }, async (lease) => {
    if (session !== undefined) return indexer.indexSession(session, { force: true, lease, ...hooks })
    const all = options.scope === 'all'
    const read = await mirrorDocuments(stages, lease, hooks)
    const report = all ? await indexer.backfill({ force: true, lease, ...hooks }) : await indexer.tail({ lease, ...hooks })
    if (all) await store.rebuildText()
    await noteIndexed(store, lease)
    return { ...report, removed: report.removed + read.removed, warnings: [...report.warnings, ...read.warnings] }
  })
  if (options.embed === false) return indexed
  // Unchanged text keeps its vectors.
  return { ...indexed, warnings: [...indexed.warnings, ...(await embedding.afterSync(hooks)).warnings] }
}

/** Clears the index's part of a repair. */
async function noteIndexed(store: Store, lease: Lease): Promise<void> {
  if ((await readMeta(store.read, META.repairPending)) !== 'index') return
  await store.write(async (tx) => {
    await lease.check(tx)
    await removeMeta(tx.db, META.repairPending)
  })
}

/** Reads documents, but no harness. */
async function mirrorDocuments({ store, adapters, config, clock }: Stages, lease: Lease, hooks: JobHooks): Promise<SyncReport['totals']> {
  const { totals } = await syncSources({
    ...{ store, clock, adapters: adapters.filter(({ mirrors }) => mirrors === 'document') },
    quietMs: config.memory.quiet_minutes * 60_000,
    ignore: ignoreMatcher(config.ignore.projects),
    guard: lease.check,
    afterGroup: async () => {},
    ...given({ signal: hooks.signal }),
  })
  return totals
}
