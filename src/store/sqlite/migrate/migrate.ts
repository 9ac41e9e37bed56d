/**
 * Brings a database to this program's schema. All that is missing is applied in one transaction under the write lock: whenever the process
 * is killed, the file has the old schema or the new one.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import type { Clock } from '../../../core/clock.ts'
import { asMnemonicError, MnemonicError } from '../../../core/error.ts'
import type { OnProgress } from '../../../core/progress.ts'
import { plural } from '../../../core/text.ts'
import { retryWhileBusy } from '../storage-error.ts'
import { halfBlob } from '../vectors/blob.ts'
import { type FreeSpace, freeSpace, requireMigrationRoom } from './room.ts'

/** "MNEM": says that a database is ours. */
export const APPLICATION_ID = 0x4d4e454d

const FOLDER = new URL('../migrations/', import.meta.url)
/** Another process may be migrating: a large file takes minutes, and other processes wait for it. */
const PATIENCE_MS = 3_600_000
/** The pages that a rewritten table is built in: each that leaves memory too early is written twice. */
const CACHE_KIB = 256 * 1024

/** Writing the file anew is worth it where so much of it is empty … */
const EMPTY_SHARE = 0.15
/** … and up to this size, which takes some seconds: others cannot write meanwhile. Beyond, what comes later fills the empty pages. */
const MOST_BYTES = 2 ** 31
const LOG_PATIENCE_MS = 1000

export interface MigrateOptions {
  readonly clock: Clock
  /** Called before each migration of a database that holds something, and at the end. */
  readonly onProgress?: OnProgress | undefined
  /** Ends the waiting for another process that migrates the file, with INTERRUPTED. */
  readonly signal?: AbortSignal | undefined
  /** For tests. */
  readonly free?: FreeSpace | undefined
}

export function migrationNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
}

export function migrationSql(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8')
}

/**
 * Applies what is missing; true when that was anything. Throws DATABASE_NEWER when the file knows a migration that we do not, STORAGE_ERROR
 * when there is no room for it; then nothing was changed.
 */
export async function migrate(db: Database.Database, options: MigrateOptions): Promise<boolean> {
  const known = migrationNames()
  const isCurrent = () => {
    const done = applied(db)
    return done.length === known.length && known.every((name) => done.includes(name))
  }
  let waited = false
  // A process that holds the lock of a database that is not migrated yet is migrating it, or ends soon.
  const onWait = () => {
    if (!waited && applied(db).length > 0) options.onProgress?.({ stage: 'migrate', done: 0, total: 1, waiting: true })
    waited = true
  }
  return retryWhileBusy(() => !isCurrent() && apply(db, known, options), {
    patienceMs: PATIENCE_MS,
    signal: options.signal,
    onWait,
  }).finally(() => waited && options.onProgress?.({ stage: 'migrate', done: 1, total: 1, waiting: true }))
}

/** Throws DATABASE_NEWER or DATABASE_OLDER where the schema is not this program's. Changes nothing. */
export function requireCurrent(db: Database.Database): void {
  const known = migrationNames()
  const done = applied(db)
  const unknown = done.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw newer(db.name, unknown)
  const missing = known.filter((name) => !done.includes(name))
  if (missing.length === 0) return
  throw new MnemonicError(
    'DATABASE_OLDER',
    `${db.name} was written by an older Mnemonic (it lacks ${plural(missing.length, 'migration')})`,
    {
      details: { path: db.name, missing: missing.length },
      hint: 'mnemonic sync brings it up to date; a large one takes minutes.',
    },
  )
}

function apply(db: Database.Database, known: readonly string[], { clock, onProgress, free = freeSpace }: MigrateOptions): boolean {
  db.exec('begin immediate')
  const cache = db.pragma('cache_size', { simple: true }) as number
  try {
    db.exec('create table if not exists schema_migrations (name text primary key, applied_at integer not null) without rowid')
    const done = applied(db)
    const unknown = done.filter((name) => !known.includes(name))
    if (unknown.length > 0) throw newer(db.name, unknown)
    const missing = known.filter((name) => !done.includes(name)).map((name) => ({ name, sql: migrationSql(name) }))
    if (done.length > 0) requireMigrationRoom(db, missing, free)
    addFunctions(db)
    db.pragma(`cache_size = -${CACHE_KIB}`)
    const record = db.prepare('insert into schema_migrations (name, applied_at) values (?, ?)')
    for (const [i, { name, sql }] of missing.entries()) {
      if (done.length > 0) onProgress?.({ stage: 'migrate', done: i, total: missing.length })
      db.exec(sql)
      record.run(name, clock())
    }
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.exec('commit')
    if (done.length > 0) onProgress?.({ stage: 'migrate', done: missing.length, total: missing.length })
    return missing.length > 0
  } catch (error) {
    if (db.inTransaction) db.exec('rollback')
    throw error
  } finally {
    db.pragma(`cache_size = ${cache}`)
  }
}

/** The one thing that a migration calls and SQLite does not have. */
function addFunctions(db: Database.Database): void {
  db.function('mnemonic_float16', { deterministic: true }, (blob: unknown) => halfBlob(blob as Buffer))
}

/** Gives an empty database the schema that these migrations make. */
export function createSchema(db: Database.Database, names: readonly string[], clock: Clock): void {
  addFunctions(db)
  db.exec('create table schema_migrations (name text primary key, applied_at integer not null) without rowid')
  const record = db.prepare('insert into schema_migrations (name, applied_at) values (?, ?)')
  for (const name of names) {
    db.exec(migrationSql(name))
    record.run(name, clock())
  }
  db.pragma(`application_id = ${APPLICATION_ID}`)
}

function applied(db: Database.Database): string[] {
  const table = db.prepare("select 1 from sqlite_master where name = 'schema_migrations'").get()
  if (table === undefined) return []
  const rows = db.prepare('select name from schema_migrations order by name').all() as { name: string }[]
  return rows.map((row) => row.name)
}

/** A migration that this program does not have was applied. */
export function newer(path: string, unknown: readonly string[]): MnemonicError {
  return new MnemonicError('DATABASE_NEWER', `${path} was written by a newer Mnemonic (it has ${unknown.join(', ')})`, {
    details: { path, unknown },
    hint: 'Update this program: npm install -g agent-mnemonic@latest. Nothing was changed.',
  })
}

/** Gives back the room that a migration took: the log of changes, and the pages of tables that were written anew. Not needed: where it fails, the file stays larger. */
export async function settleMigrated(db: Database.Database, path: string): Promise<void> {
  const { emptyLog, rewrite } = await import('../files/erase.ts')
  await emptyLog(db, LOG_PATIENCE_MS)
  const pages = db.pragma('page_count', { simple: true }) as number
  const empty = db.pragma('freelist_count', { simple: true }) as number
  if (empty < pages * EMPTY_SHARE || statSync(path).size > MOST_BYTES) return
  try {
    await rewrite(db, path)
  } catch (thrown) {
    const { code } = asMnemonicError(thrown)
    // No room, or another process writes: the file stays as large as it is.
    if (code !== 'STORAGE_ERROR' && code !== 'DATABASE_BUSY') throw thrown
  }
}
