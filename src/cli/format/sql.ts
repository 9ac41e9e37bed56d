/** Rows of a query: a table for a terminal, tab-separated lines for a pipe. */
import { stripControls } from '../../core/text.ts'
import type { SqlAnswer } from '../../library/index.ts'
import { table } from './layout.ts'

const CELL = 60

export function formatSqlTable(answer: SqlAnswer): string {
  return table(
    answer.columns.map((title) => ({ title: stripControls(title), max: CELL })),
    answer.rows.map((row) => row.map((value) => stripControls(cell(value)))),
  )
}

/** One line a row: what would break it (tab, line break, backslash) is escaped. */
export function formatSqlLines(answer: SqlAnswer): string {
  const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\r', '\\r').replaceAll('\n', '\\n')
  const line = (row: readonly unknown[]) => row.map((value) => stripControls(escaped(cell(value)))).join('\t')
  return [answer.columns, ...answer.rows].map(line).join('\n')
}

function cell(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}
