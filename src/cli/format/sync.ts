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
/** On a narrow terminal those that say nothing are left out, one after the other. */
const SPARE = ['bad lines', 'quarantined', 'known', 'unchanged']

export function formatSync(report: SyncReport, width = Number.POSITIVE_INFINITY): string {
  if (report.adapters.length === 0) return 'No source is on.'
  const one = report.adapters.map((adapter) => row(adapter.name, adapter))
  const rows = one.length === 1 ? one : [...one, row('all', report.totals)]
  const left = new Set(COLUMNS.keys())
  const drawn = () => {
    const kept = [...left]
    return table(
      COLUMNS.filter((_, at) => left.has(at)),
      rows.map((cells) => kept.map((at) => cells[at] ?? '')),
    )
  }
  for (const title of SPARE) {
    if ((drawn().split('\n')[0] ?? '').length <= width) break
    const at = COLUMNS.findIndex((column) => column.title === title)
    if (rows.every((cells) => cells[at] === '0')) left.delete(at)
  }
  return drawn()
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
