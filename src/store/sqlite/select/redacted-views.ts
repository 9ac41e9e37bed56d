/**
 * The database as a typed query may see it: an empty database in memory, in which every table of the ledger is a view that redacts its
 * texts. The file is attached under a name that nobody knows and that is another one for every query, so that a query can name nothing but
 * the views; views stand in front of everything that is not to be seen, too.
 */
import { randomBytes } from 'node:crypto'
import Database from 'better-sqlite3'
import { META } from '../../meta.ts'
import { type RowsOf, rowsOfAgent } from './agent-scope.ts'

/** Gives a text without its secrets; the same for the same text. */
export type RedactCell = (text: string) => string

export interface RedactedDatabase {
  readonly db: Database.Database
  /** Tables that exist and are not shown: the full-text index and what it is made of. */
  readonly hidden: ReadonlySet<string>
  /** An error's text without the name under which the file is attached. */
  speak(message: string): string
}

/** What `sqlite_master` is called here: its own name cannot be given to a view. */
export const SCHEMA_VIEW = 'ledger_schema'
const WAIT_MS = 10_000

/** The caller closes it. Sees the file as it was at the moment of this call. */
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
  // The parts of a virtual table cannot be covered before the table itself is: until then SQLite keeps their names.
  const rank = ({ name }: { name: string }) => (kindOf.get(name) === 'virtual' ? 0 : 1)
  return rows.sort((a, b) => rank(a) - rank(b)).map((row) => ({ ...row, isShown: ['table', 'view'].includes(kindOf.get(row.name) ?? '') }))
}

/** Rows that no query sees: with the key, one could test guesses at what was forgotten. */
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

/** Closed lists of words, and numbers. */
const WORDS = new Set(
  `source adapter source_adapter role kind status trust turn_type direction ledger embed_status source_kind owner_type hash session_token flow
  step code error_code mode day`.split(/\s+/),
)

/**
 * Columns by which rows are found and joined pass as they are, so that indexes work: ids, hashes, numbers, words of a closed list. All others
 * are redacted, also those that a later version adds.
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

/** A query may ask for a cell several times: in its condition, its order and its answer. */
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
