/** Somebody else's SQLite file, opened to be read. It is never written to, and no file appears beside it. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import Database from 'better-sqlite3'
import { MnemonicError } from '../../core/error.ts'
import { LARGEST_RECORD, TOO_LARGE } from '../../core/largest-record.ts'
import type { SourceDatabase } from '../source-database.ts'
import { headerOf } from './header.ts'
import { copyOfSource } from './source-copy.ts'

/** How long its application may hold it, before it is left for the next sync. */
const PATIENCE_MS = 5000

/** `scratch` is a folder on a real disk: a copy of a large database does not fit into memory. */
export function openSourceDatabase(path: string, scratch: string = tmpdir(), patienceMs = PATIENCE_MS): SourceDatabase {
  const { db, release } = guarded(path, () => opened(path, scratch, patienceMs))
  const passedOver: string[] = []
  return {
    tables: () => guarded(path, () => new Set(names(db, "select name from sqlite_schema where type in ('table', 'view')"))),
    columns: (table) => guarded(path, () => new Set(names(db, 'select name from pragma_table_info(?)', table))),
    *rows<Row>(sql: string, ...parameters: readonly (string | number | bigint | null)[]) {
      const rows = guarded(path, () => bounded(db, sql).iterate(...parameters)) as IterableIterator<Row & Bounded>
      try {
        for (;;) {
          const next = guarded(path, () => rows.next())
          if (next.done) return
          if (!isPassedOver(next.value, passedOver)) yield next.value
        }
      } finally {
        rows.return?.()
      }
    },
    first<Row>(sql: string, ...parameters: readonly (string | number | bigint | null)[]) {
      const row = guarded(path, () => bounded(db, sql).get(...parameters) as (Row & Bounded) | undefined)
      return row === undefined || isPassedOver(row, passedOver) ? undefined : row
    },
    passedOver,
    close() {
      db.close()
      release()
    },
  }
}

interface Opened {
  readonly db: Database.Database
  readonly release: () => void
}

/**
 * Opened without leaving a trace. A database in WAL mode whose application does not run would get a `-shm` and a `-wal` from its
 * first reader: it is copied away, with the log that the application left.
 */
function opened(path: string, scratch: string, patienceMs: number): Opened {
  const inPlace = () => ({ db: open(path, patienceMs), release: () => {} })
  if (headerOf(path) === 'wal' && !isInUse(path)) return copyOpened(path, '-wal', scratch) ?? inPlace()
  try {
    return inPlace()
  } catch (error) {
    // Its application died while it wrote, and only a writer may take back what is half done: that is done in a copy.
    const copy = codeOf(error) === 'SQLITE_READONLY_ROLLBACK' ? copyOpened(path, '-journal', scratch) : undefined
    if (copy === undefined) throw error
    return copy
  }
}

/** Undefined where its application was started meanwhile: then it can be read where it is. */
function copyOpened(path: string, log: '-wal' | '-journal', scratch: string): Opened | undefined {
  const copy = copyOfSource(path, log, scratch)
  try {
    if (log === '-wal' && isInUse(path)) {
      copy.release()
      return undefined
    }
    if (log === '-journal') rollBack(copy.path)
    return { db: open(copy.path), release: copy.release }
  } catch (error) {
    copy.release()
    throw error
  }
}

function isInUse(path: string): boolean {
  return existsSync(`${path}-shm`)
}

function rollBack(copy: string): void {
  const writer = new Database(copy, { fileMustExist: true })
  writer.prepare('select count(*) from sqlite_schema').get()
  writer.close()
}

/** The column that says of a row that it must be passed over. */
const LARGE = 'mnemonic: too large'
type Bounded = { [LARGE]?: number }

/** The statement with every value that is larger than a record may be left out: such a row comes without them, and marked. */
function bounded(db: Database.Database, sql: string): Database.Statement {
  const statement = db.prepare(sql)
  const columns = statement.columns().map(({ name }) => `"${name.replaceAll('"', '""')}"`)
  // Two columns of one name cannot be distinguished from outside; no adapter asks for such.
  if (new Set(columns).size < columns.length) return statement
  const isLarge = (column: string) => `ifnull(octet_length(${column}), 0) > ${LARGEST_RECORD}`
  const values = columns.map((column) => `case when ${isLarge(column)} then null else ${column} end as ${column}`)
  return db.prepare(`select ${values.join(', ')}, ${columns.map(isLarge).join(' or ')} as "${LARGE}" from (${sql})`)
}

/** Takes the mark off a row, and notes one that is passed over. */
function isPassedOver(row: Bounded & object, passedOver: string[]): boolean {
  const large = row[LARGE] === 1
  delete row[LARGE]
  if (large) passedOver.push(`${nameOf(row)} holds a value ${TOO_LARGE}`)
  return large
}

const LONGEST_NAME = 200

/** The first column that says something is nearly always the key. */
function nameOf(row: object): string {
  const named = Object.entries(row).find(([, value]) => typeof value === 'string' || typeof value === 'number')
  return named === undefined ? 'a row' : `the row with ${named[0]} ${String(named[1]).slice(0, LONGEST_NAME)}`
}

function open(path: string, patienceMs = PATIENCE_MS): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: patienceMs })
  db.pragma('query_only = 1')
  db.prepare('select count(*) from sqlite_schema').get() // reads the header: a file that is no database shows here
  return db
}

function names(db: Database.Database, sql: string, ...parameters: readonly string[]): string[] {
  return db
    .prepare(sql)
    .pluck()
    .all(...parameters) as string[]
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw sourceError(path, error)
  }
}

function sourceError(path: string, error: unknown): unknown {
  const code = codeOf(error)
  if (error instanceof MnemonicError || code === '') return error
  const options = { details: { path, code }, cause: error }
  if (code === 'SQLITE_NOTADB') return new MnemonicError('NOT_THIS_FORMAT', `${path} is no SQLite database`, options)
  if (code === 'SQLITE_TOOBIG') {
    const hint = 'Mnemonic reads it again when it has changed.'
    return new MnemonicError('VALIDATION_ERROR', `${path} holds a value of more than 512 MB`, { ...options, hint })
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_ERROR') {
    const hint = 'Its application may be able to repair it; what was imported before is kept.'
    return new MnemonicError('VALIDATION_ERROR', `${path} cannot be read: ${(error as Error).message}`, { ...options, hint })
  }
  const reason = code.startsWith('SQLITE_BUSY') ? 'another program holds it; the next sync tries again' : code
  return new MnemonicError('SOURCE_UNREADABLE', `cannot read ${path}: ${reason}`, {
    ...options,
    hint: 'It is tried again by the next sync.',
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
