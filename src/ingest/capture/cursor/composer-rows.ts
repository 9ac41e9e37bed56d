/** Queries by key or range: never reads unneeded rows. */
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { Fields } from '../fields.ts'
import { type RowValue, rowFields } from './row-value.ts'

/** The first key after `prefix`, which must end with a colon. */
function rangeOf(prefix: string): [from: string, to: string] {
  return [prefix, `${prefix.slice(0, -1)};`]
}

export interface ComposerRow {
  readonly id: string
  readonly value: RowValue
}

const COMPOSER = 'composerData:'

export function* composerRows(database: SourceDatabase): Generator<ComposerRow, void, undefined> {
  const sql = 'select key, value from cursorDiskKV where key >= ? and key < ?'
  for (const { key, value } of database.rows<{ key: string; value: RowValue }>(sql, ...rangeOf(COMPOSER))) {
    yield { id: key.slice(COMPOSER.length), value }
  }
}

export function composerValue(database: SourceDatabase, id: string): RowValue {
  return rowValue(database, COMPOSER + id)
}

/** Changes with any write: a replaced row gets a new rowid. Reads no values. */
export function bubbleSignature(database: SourceDatabase, composer: string): string {
  const sql = `select count(*) as n, coalesce(sum(octet_length(value)), 0) as bytes, coalesce(max(rowid), 0) as top
    from cursorDiskKV where key >= ? and key < ?`
  const row = database.first<{ n: number; bytes: number; top: number }>(sql, ...rangeOf(`bubbleId:${composer}:`))
  return `${row?.n} ${row?.bytes} ${row?.top}`
}

export interface BubbleRows {
  readonly names: ReadonlySet<string>
  value(name: string): RowValue
  request(name: string): Fields | undefined
}

const AT_ONCE = 8 << 20

export function bubbleRows(database: SourceDatabase, composer: string): BubbleRows {
  const prefix = `bubbleId:${composer}:`
  const names = new Set<string>()
  let bytes = 0
  const sizes = 'select key, octet_length(value) as bytes from cursorDiskKV where key >= ? and key < ?'
  for (const row of database.rows<{ key: string; bytes: number | null }>(sizes, ...rangeOf(prefix))) {
    names.add(row.key.slice(prefix.length))
    bytes += row.bytes ?? 0
  }
  const requests = `messageRequestContext:${composer}:`
  const sent = new Set<string>()
  const keys = 'select key from cursorDiskKV where key >= ? and key < ?'
  for (const { key } of database.rows<{ key: string }>(keys, ...rangeOf(requests))) sent.add(key)
  const values = bytes > 0 && bytes <= AT_ONCE ? valuesOf(database, prefix) : undefined
  return {
    names,
    value: (name) => (values === undefined ? rowValue(database, prefix + name) : values.get(name)),
    request: (name) => (sent.has(requests + name) ? rowFields(rowValue(database, requests + name)) : undefined),
  }
}

function valuesOf(database: SourceDatabase, prefix: string): Map<string, RowValue> {
  const values = new Map<string, RowValue>()
  const sql = 'select key, value from cursorDiskKV where key >= ? and key < ?'
  for (const { key, value } of database.rows<{ key: string; value: RowValue }>(sql, ...rangeOf(prefix))) {
    values.set(key.slice(prefix.length), value)
  }
  return values
}

function rowValue(database: SourceDatabase, key: string): RowValue {
  return database.first<{ value: RowValue }>('select value from cursorDiskKV where key = ?', key)?.value
}

export interface HeaderRow {
  readonly workspaceId: string | undefined
  readonly isSubagent: boolean
  readonly value: Fields | undefined
}

/** Cursor's own conversation table, since version 3.9. */
export function headerRow(database: SourceDatabase, columns: ReadonlySet<string>, composer: string): HeaderRow | undefined {
  if (!columns.has('composerId')) return undefined
  const wanted = ['workspaceId', 'isSubagent', 'value'].filter((column) => columns.has(column))
  const sql = `select ${['composerId', ...wanted].join(', ')} from composerHeaders where composerId = ?`
  const row = database.first<{ workspaceId?: RowValue; isSubagent?: RowValue; value?: RowValue }>(sql, composer)
  if (row === undefined) return undefined
  const workspaceId = row.workspaceId === null || row.workspaceId === undefined ? undefined : String(row.workspaceId)
  return { workspaceId, isSubagent: Number(row.isSubagent ?? 0) === 1, value: rowFields(row.value) }
}
