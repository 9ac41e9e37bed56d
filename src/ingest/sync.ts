/** Reads changes oldest first, and stores them with resume points. Invariant: found = imported + unchanged + quarantined. */
import { planByContent } from './plan-by-content.ts'
import { type Planned, plan, withKnown } from './plan-sync.ts'
import { syncAdapter } from './sync-adapter.ts'
import type { SyncSourcesOptions } from './sync-options.ts'
import type { AdapterReport, SyncReport } from './sync-report.ts'

export async function syncSources(options: SyncSourcesOptions): Promise<SyncReport> {
  const { path: _, byContent: __, dormant: ___, ...everywhere } = options
  const read = await syncAll({ ...options, adapters: options.adapters.filter((adapter) => !adapter.derived) })
  await options.settle?.()
  const derived = await syncAll({ ...everywhere, adapters: options.adapters.filter((adapter) => adapter.derived) })
  return { adapters: [...read, ...derived], totals: total(read), newly_failed_chunks: 0, published: 0 }
}

async function syncAll(options: SyncSourcesOptions): Promise<AdapterReport[]> {
  const reports: AdapterReport[] = []
  for (const planned of await planOf(options)) reports.push(await syncAdapter(planned, options))
  return reports
}

async function planOf(options: SyncSourcesOptions): Promise<Planned[]> {
  if (options.byContent && options.path !== undefined) return planByContent(options)
  const found = await plan(options)
  return options.reread && options.path === undefined ? withKnown(found, options) : found
}

function total(adapters: readonly AdapterReport[]): SyncReport['totals'] {
  const sum = (key: Exclude<keyof AdapterReport, 'name' | 'warnings'>) => adapters.reduce((all, report) => all + report[key], 0)
  return {
    found: sum('found'),
    imported: sum('imported'),
    unchanged: sum('unchanged'),
    quarantined: sum('quarantined'),
    records: sum('records'),
    repeated: sum('repeated'),
    removed: sum('removed'),
    ignored: sum('ignored'),
    skipped_lines: sum('skipped_lines'),
    bytes_read: sum('bytes_read'),
    duration_ms: sum('duration_ms'),
    warnings: adapters.flatMap((report) => report.warnings),
  }
}
