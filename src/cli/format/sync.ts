/** What a sync did, for people. */
import type { AdapterReport, SyncReport } from '../../library/index.ts'
import { table } from './layout.ts'
import { bytes, duration } from './quantity.ts'

const COLUMNS = [
  { title: 'source' },
  ...['found', 'imported', 'unchanged', 'quarantined', 'records', 'known', 'bad lines', 'read', 'time'].map((title) => ({
    title,
    right: true,
  })),
]

export function formatSync(report: SyncReport): string {
  if (report.adapters.length === 0) return 'No source is on.'
  const rows = report.adapters.map((adapter) => row(adapter.name, adapter))
  return table(COLUMNS, rows.length === 1 ? rows : [...rows, row('all', report.totals)])
}

function row(name: string, report: Omit<AdapterReport, 'name'>): string[] {
  const { found, imported, unchanged, quarantined, records, repeated, skipped_lines } = report
  return [
    name,
    ...[found, imported, unchanged, quarantined, records, repeated, skipped_lines].map(String),
    bytes(report.bytes_read),
    duration(report.duration_ms),
  ]
}
