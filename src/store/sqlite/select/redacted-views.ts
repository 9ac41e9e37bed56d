/**
 * A typed query runs in an in-memory database whose views redact every text. The file is attached under a random name, so a query can reach
 * only the views. Views also shadow everything hidden.
 */
import { randomBytes } from 'node:crypto'
import Database from 'better-sqlite3'
import { META } from '../../meta.ts'
import { type RowsOf, rowsOfAgent } from './agent-scope.ts'

export type RedactCell = (text: string) => string

export interface RedactedDatabase {
  readonly db: Database.Database
  readonly hidden: ReadonlySet<string>
  speak(message: string): string
}

/** Replaces `sqlite_master`, whose name no view can have. */
export const SCHEMA_VIEW = 'ledger_schema'
const WAIT_MS = 10_000

export function openRedacted(path: string, redact: RedactCell, agent?: string): RedactedDatabase {
  const db = new Database(':memory:', { timeout: WAIT_MS })
  try {
    const schema = `l_${randomBytes(16).toString('hex')}`
    db.function('redact_cell', { deterministic: true }, redactedCell(redact))
    db.prepare(`attach ? as ${schema}`).run(path)
    db.pragma('temp_store = memory')
    db.exec('begin')
    const rowsOf = rowsOfAgent(db, schema, agent)
    const hidden = new Set<string>()
    const shown: Entry[] = []
    for (const entry of entriesOf(db, schema)) {
      if (entry.isShown) shown.push(entry)
      else hidden.add(entry.name.toLowerCase())
      db.exec(
        entry.isShown
          ? viewOf(db, schema, entry.name, rowsOf)
          : `create temp view ${quote(entry.name)} as select null as hidden where false`,
      )
    }
    db.exec(schemaView(shown))
    db.pragma('query_only = on')
    return { db, hidden, speak: (message) => message.replaceAll(schema, 'ledger') }
  } catch (error) {
    db.close()
    throw error
  }
}

interface Entry {
  readonly name: string
  readonly type: string
  readonly sql: string | null
  readonly isShown: boolean
}

function entriesOf(db: Database.Database, schema: string): Entry[] {
  const kinds = db.prepare('select name, type from pragma_table_list where schema = ?').all(schema) as { name: string; type: string }[]
  const kindOf = new Map(kinds.map(({ name, type }) => [name, type]))
  const rows = db
    .prepare(
      `select name, type, sql from ${schema}.sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'`,
    )
    .all() as Omit<Entry, 'isShown'>[]
  // Cover a virtual table before its parts: SQLite protects their names until then.
  const rank = ({ name }: { name: string }) => (kindOf.get(name) === 'virtual' ? 0 : 1)
  return rows.sort((a, b) => rank(a) - rank(b)).map((row) => ({ ...row, isShown: ['table', 'view'].includes(kindOf.get(row.name) ?? '') }))
}

/** Hidden rows: with the key, one could test guesses at forgotten text. */
const KEPT_BACK: Readonly<Record<string, string>> = { meta: `key not in ('${META.tombstoneKey}', '${META.otherTombstoneKeys}')` }

function viewOf(db: Database.Database, schema: string, table: string, rowsOf: RowsOf | undefined): string {
  const columns = db.prepare('select name, type from pragma_table_info(?, ?)').all(table, schema) as { name: string; type: string }[]
  const list = columns.map(({ name, type }) => {
    const column = quote(name)
    if (isPlain(name, type)) return column
    return `${/blob/i.test(type) ? `zeroblob(length(${column}))` : `redact_cell(${column})`} as ${column}`
  })
  const names = columns.map(({ name }) => name)
  const conditions = [KEPT_BACK[table], rowsOf?.(table, names)].filter((one) => one !== undefined)
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
  return `create temp view ${quote(table)} as select ${list.join(', ')} from ${schema}.${quote(table)}${where}`
}

const WORDS = new Set(
  `source adapter source_adapter role kind status trust turn_type direction ledger embed_status source_kind owner_type hash session_token flow
  step code error_code mode day`.split(/\s+/),
)

/**
 * Allowlist of columns that pass unredacted, so that indexes work: ids, hashes, numbers, closed vocabularies. Redacts everything else,
 * including future columns.
 */
export function isPlain(name: string, type: string): boolean {
  if (/^(?:integer|real)$/i.test(type)) return true
  return name === 'id' || /_(?:ids?|hash|sha256)$/.test(name) || WORDS.has(name)
}

function schemaView(shown: readonly Entry[]): string {
  const rows = shown.map(({ name, type, sql }) => `select ${[type, name, name].map(literal).join(', ')}, 0, ${literal(sql ?? '')}`)
  const none = 'select null, null, null, 0, null where false'
  return `create temp view ${SCHEMA_VIEW} (type, name, tbl_name, rootpage, sql) as ${[...rows, none].join(' union all ')}`
}

const MOST_KEPT = 256

function redactedCell(redact: RedactCell): (value: unknown) => unknown {
  const known = new Map<string, string>()
  return (value) => {
    if (value instanceof Uint8Array) return Buffer.alloc(value.byteLength)
    if (typeof value !== 'string') return value
    const before = known.get(value)
    if (before !== undefined) return before
    if (known.size >= MOST_KEPT) known.clear()
    const safe = redact(value)
    known.set(value, safe)
    return safe
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
