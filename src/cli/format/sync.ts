import { plural } from '../../core/text.ts'
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
/** Columns to drop on a narrow terminal, in this order, if empty. */
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

export interface WatchedLine {
  readonly at: string
  readonly imported: number
  readonly removed: number
  readonly quarantined: number
  readonly records: number
  readonly published: number
  readonly sources: readonly string[]
  readonly duration_ms: number
  readonly warnings: readonly string[]
}

export function watchedLine({ adapters, totals, published }: SyncReport, now: Date): WatchedLine {
  const { imported, removed, quarantined, records, duration_ms, warnings } = totals
  const sources = adapters.filter(({ name, imported }) => imported > 0 && name !== 'aix-events').map(({ name }) => name)
  return { at: now.toISOString(), imported, removed, quarantined, records, published, sources, duration_ms, warnings }
}

export function formatWatched({ at, imported, quarantined, records, published, sources, duration_ms }: WatchedLine): string {
  const time = new Date(at).toTimeString().slice(0, 8)
  const from = sources.length === 0 ? '' : ` from ${sources.join(', ')}`
  const more = `${quarantined > 0 ? `, ${quarantined} quarantined` : ''}${published > 0 ? `, ${plural(published, 'session')} published` : ''}`
  return `${time}  ${plural(records, 'new record')} in ${plural(imported, 'file')}${from}${more}  ${duration(duration_ms)}`
}
