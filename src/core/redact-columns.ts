/** Secrets in a column that is headed by their name: tables of markdown, and those that psql and mysql draw. In linear time. */
import { acceptsCell, secretName } from './redact-assignment.ts'
import { type Found, matchShape } from './redact-kinds.ts'
import { isPlaceholder } from './redact-values.ts'

const LONGEST_LINE = 4096
/** The line below the head: `|---|:--:|`, `----+----`, `+----+----+`. */
const RULER = /^[ \t]*[|+]?[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)*[|+]?[ \t\r]*$/
const HEAD_CELL = /^[ \t*`"']*([\w.-]{2,64})[ \t*`"'\r]*$/
const VALUE_CELL = /^[ \t]*(["'`]?)([^\s"'`]{4,512})\1[ \t\r]*$/

export function matchColumns(text: string): Found[] {
  // Most texts have no table, and this tells.
  if (!text.includes('|') || !(text.includes('|-') || text.includes('| -') || text.includes('|:-') || text.includes('-+'))) return []
  const found: Found[] = []
  let head: string | undefined
  let columns: readonly (readonly [number, string])[] = []
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = end - start > LONGEST_LINE ? '' : text.slice(start, end)
    if (RULER.test(line) && /[|+]/.test(line)) columns = head === undefined ? columns : secretColumns(head)
    else if (!line.includes('|')) columns = []
    else for (const [column, name] of columns) add(found, text, { line, start, column, name })
    head = line.includes('|') && !RULER.test(line) ? line : undefined
    start = end + 1
  }
  return found
}

function secretColumns(head: string): [number, string][] {
  return head.split('|').flatMap((cell, i): [number, string][] => {
    const name = HEAD_CELL.exec(cell)?.[1]
    return name === undefined || secretName(name) === undefined ? [] : [[i, name]]
  })
}

interface Row {
  readonly line: string
  readonly start: number
  readonly column: number
  readonly name: string
}

function add(found: Found[], text: string, { line, start, column, name }: Row): void {
  const cells = line.split('|')
  const [, quote = '', value = ''] = VALUE_CELL.exec(cells[column] ?? '') ?? []
  const secret = secretName(name)
  if (value === '' || secret === undefined || isPlaceholder(value) || !acceptsCell(value, secret, quote !== '')) return
  const before = cells.slice(0, column).reduce((sum, cell) => sum + cell.length + 1, 0)
  const from = start + before + (cells[column] ?? '').indexOf(value)
  found.push({ kind: matchShape(text, from)?.found[0]?.kind ?? secret.kind, start: from, end: from + value.length })
}
