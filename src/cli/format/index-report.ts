/** What an indexing run did, what the index holds, and which session files are valid; for people. */
import { plural, stripControls } from '../../core/text.ts'
import type { IndexReport, IndexStatusRow, ValidationResult } from '../../library/index.ts'
import { table } from './layout.ts'
import { duration } from './quantity.ts'
import type { Style } from './style.ts'
import { localTime } from './time.ts'

export function formatIndexReport(report: IndexReport): string {
  const { sessions, documents, chunks, unchanged, removed } = report
  return [
    `${plural(sessions, 'session')}: ${plural(documents, 'document')} and ${plural(chunks, 'chunk')} written,`,
    `${unchanged.toLocaleString('en-US')} unchanged, ${removed.toLocaleString('en-US')} removed, in ${duration(report.duration_ms)}`,
  ].join(' ')
}

export function formatIndexStatus(rows: readonly IndexStatusRow[]): string {
  if (rows.length === 0) return ''
  return table(
    [{ title: 'last indexed' }, { title: 'chunks', right: true }, { title: 'status' }, { title: 'session' }],
    rows.map((row) => [localTime(row.last_indexed), String(row.chunk_count), row.status, stripControls(row.session_id)]),
  )
}

export function formatValidation(files: readonly { path: string; result: ValidationResult }[], style: Style): string {
  return files
    .map(({ path, result }) => {
      const verdict = result.valid ? style.green('valid  ') : style.red('invalid')
      const notes = [...result.errors.map((error) => `error: ${error}`), ...result.warnings.map((warning) => `warning: ${warning}`)]
      return [`${verdict}  ${stripControls(path)}`, ...notes.map((note) => `         ${stripControls(note)}`)].join('\n')
    })
    .join('\n')
}
