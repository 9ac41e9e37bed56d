/** Never writes the file and leaves no sidecar files. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import Database from 'better-sqlite3'
import { MnemonicError } from '../../core/error.ts'
import { LARGEST_RECORD, TOO_LARGE } from '../../core/largest-record.ts'
import type { SourceDatabase } from '../source-database.ts'
import { headerOf } from './header.ts'
import { copyOfSource } from './source-copy.ts'

/** How long its application may lock it before the next sync takes over. */
const PATIENCE_MS = 5000

/** `scratch` must be on disk: a large copy does not fit into memory. */
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

/** Reading a WAL database whose application is closed would create `-shm` and `-wal`, so it is copied first. */
function opened(path: string, scratch: string, patienceMs: number): Opened {
  const inPlace = () => ({ db: open(path, patienceMs), release: () => {} })
  if (headerOf(path) === 'wal' && !isInUse(path)) return copyOpened(path, '-wal', scratch) ?? inPlace()
  try {
    return inPlace()
  } catch (error) {
    // Its application crashed while writing, and only a writer can roll back: do that in a copy.
    const copy = codeOf(error) === 'SQLITE_READONLY_ROLLBACK' ? copyOpened(path, '-journal', scratch) : undefined
    if (copy === undefined) throw error
    return copy
  }
}

/** Undefined if the application started meanwhile: then it can be read in place. */
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

const LARGE = 'mnemonic: too large'
type Bounded = { [LARGE]?: number }

/** Nulls values above the record limit and marks their rows. */
function bounded(db: Database.Database, sql: string): Database.Statement {
  const statement = db.prepare(sql)
  const columns = statement.columns().map(({ name }) => `"${name.replaceAll('"', '""')}"`)
  // Duplicate column names are ambiguous in a subquery; no adapter uses them.
  if (new Set(columns).size < columns.length) return statement
  const isLarge = (column: string) => `ifnull(octet_length(${column}), 0) > ${LARGEST_RECORD}`
  const values = columns.map((column) => `case when ${isLarge(column)} then null else ${column} end as ${column}`)
  return db.prepare(`select ${values.join(', ')}, ${columns.map(isLarge).join(' or ')} as "${LARGE}" from (${sql})`)
}

function isPassedOver(row: Bounded & object, passedOver: string[]): boolean {
  const large = row[LARGE] === 1
  delete row[LARGE]
  if (large) passedOver.push(`${nameOf(row)} holds a value ${TOO_LARGE}`)
  return large
}

const LONGEST_NAME = 200

/** The first non-empty column is nearly always the key. */
function nameOf(row: object): string {
  const named = Object.entries(row).find(([, value]) => typeof value === 'string' || typeof value === 'number')
  return named === undefined ? 'a row' : `the row with ${named[0]} ${String(named[1]).slice(0, LONGEST_NAME)}`
}

function open(path: string, patienceMs = PATIENCE_MS): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: patienceMs })
  db.pragma('query_only = 1')
  db.prepare('select count(*) from sqlite_schema').get() // reads the header, so a non-database fails here
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
