/** Secrets in a column that is headed by their name: tables of markdown, and those that psql and mysql draw. In linear time. */
import { acceptsCell, secretName } from './redact-assignment.ts'
import { type Found, matchShape } from './redact-kinds.ts'
import { hasDigit, isPlaceholder } from './redact-values.ts'

const LONGEST_LINE = 4096
/** The line below the head: `|---|:--:|`, `----+----`, `+----+----+`. */
const RULER = /^[ \t]*[|+]?[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)*[|+]?[ \t\r]*$/
const HEAD_CELL = /^[ \t*`"']*([\w.-]{2,64})[ \t*`"'\r]*$/
const VALUE_CELL = /^[ \t]*(["'`]?)([^\s"'`]{4,512})\1[ \t\r]*$/

export function matchColumns(text: string): Found[] {
  const found: Found[] = []
  if (text.includes(',') || text.includes('\t')) matchCsv(found, text)
  if (text.includes('kind: Secret')) matchManifests(found, text)
  // Most texts have no table, and this tells.
  if (!text.includes('|') || !(text.includes('|-') || text.includes('| -') || text.includes('|:-') || text.includes('-+'))) return found
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

/** The head of a list as password managers write it: names and commas, nothing else, one of them a password's. */
const CSV_HEAD =
  /^(?:\ufeff|\s{0,10}\d{1,6}(?:→|\t|:))?"?[A-Za-z][\w.-]{0,40}"?(?:(?:,"?[A-Za-z][\w.-]{0,40}"?){1,30}|(?:\t"?[A-Za-z][\w.-]{0,40}"?){1,30})\r?$/imy
/** What such a head names. */
const CSV_NAME = /pass|pwd|secret/gi

function matchCsv(found: Found[], text: string): void {
  let floor = 0
  for (;;) {
    const head = csvHead(text, floor)
    if (head === undefined) return
    const comma = head[0].includes(',') ? ',' : '\t'
    const names = head[0].split(comma)
    let start = head.index + head[0].length + 1
    for (; start < text.length; ) {
      const newline = text.indexOf('\n', start)
      const end = newline === -1 ? text.length : newline
      const cells = end - start > LONGEST_LINE ? [] : text.slice(start, end).split(comma)
      if (cells.length !== names.length) break
      let at = start
      cells.forEach((cell, i) => {
        const name = names[i]?.replace(/^.*(?:→|\t|:)|["\r]/g, '') ?? ''
        const value = cell.replace(/^\s*"|"?\s*$/g, '')
        const secret = secretName(name)
        const isWorth = value.length >= 4 && !isPlaceholder(value) && (hasDigit(value) || /[^\w.-]/.test(value))
        const from = at + cell.indexOf(value)
        if (secret !== undefined && secret.strength !== 'token' && isWorth && !/\s/.test(value))
          found.push({ kind: matchShape(text, from)?.found[0]?.kind ?? secret.kind, start: from, end: from + value.length })
        at += cell.length + 1
      })
      start = end + 1
    }
    floor = Math.max(head.index + head[0].length, start - 1)
  }
}

/** The first head from `floor` on. Only lines that name a secret are read by the pattern. */
function csvHead(text: string, floor: number): RegExpExecArray | undefined {
  for (let from = floor; ; ) {
    CSV_NAME.lastIndex = from
    const named = CSV_NAME.exec(text)
    if (named === null) return undefined
    const newline = text.indexOf('\n', named.index)
    const end = newline === -1 ? text.length : newline
    for (let at = startOfHead(text, named.index, floor); at <= named.index; at++) {
      if (at > 0 && !isLineEnd(text.charCodeAt(at - 1))) continue
      CSV_HEAD.lastIndex = at
      const head = CSV_HEAD.exec(text)
      if (head !== null && /pass|pwd|secret/i.test(head[0])) return head
    }
    from = end
  }
}

/** Where the line begins, with the empty lines before it that a head may have. */
function startOfHead(text: string, at: number, floor: number): number {
  let start = Math.max(floor, text.lastIndexOf('\n', at) + 1)
  for (const limit = start - MOST_SPACE; start > floor && start > limit && /\s/.test(text[start - 1] ?? ''); ) start--
  return start
}

const MOST_SPACE = 10
const isLineEnd = (code: number) => code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029

const SECRET_KIND = /^[ \t]*kind: Secret[ \t\r]*$/gm
const DATA = /^[ \t]*(?:data|stringData):[ \t\r]*$/
const DATUM = /^([ \t]+)["']?[\w.-]{1,253}["']?:[ \t]+(["']?)([^\s"'#|>][^\s"']*)\2[ \t\r]*$/
const MOST_LINES = 400

/** Every value of a Secret of Kubernetes, whatever it is called: `data` may stand before its kind or after it. */
function matchManifests(found: Found[], text: string): void {
  let floor = 0
  for (const { index } of text.matchAll(SECRET_KIND)) {
    if (index < floor) continue
    const from = text.lastIndexOf('\n---', index) + 1
    const after = text.indexOf('\n---', index)
    const end = after === -1 ? text.length : after
    floor = end
    let isData = false
    let lines = 0
    for (let start = Math.max(from, index - 40 * MOST_LINES); start < end && lines < MOST_LINES; lines++) {
      const newline = text.indexOf('\n', start)
      const stop = newline === -1 || newline > end ? end : newline
      const line = stop - start > LONGEST_LINE * 4 ? '' : text.slice(start, stop)
      const [, , , value = ''] = isData ? (DATUM.exec(line) ?? []) : []
      if (value.length >= 4 && !isPlaceholder(value)) {
        const at = start + line.lastIndexOf(value)
        found.push({ kind: matchShape(text, at)?.found[0]?.kind ?? 'secret', start: at, end: at + value.length })
      }
      isData = DATA.test(line) || (isData && DATUM.test(line))
      start = stop + 1
    }
  }
}
