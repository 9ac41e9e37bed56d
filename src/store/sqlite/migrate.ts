/**
 * Brings a database to this program's schema. All that is missing is applied in one transaction under the write lock: whenever the process
 * is killed, the file has the old schema or the new one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type Database from 'better-sqlite3'
import type { Clock } from '../../core/clock.ts'
import { MnemonicError } from '../../core/error.ts'
import type { OnProgress } from '../../core/progress.ts'
import { registerMigrationFunctions } from './migrate-functions.ts'
import { type FreeSpace, freeSpace, requireMigrationRoom } from './migrate-room.ts'
import { retryWhileBusy } from './storage-error.ts'

/** "MNEM": says that a database is ours. */
export const APPLICATION_ID = 0x4d4e454d

const FOLDER = new URL('./migrations/', import.meta.url)
/** Another process may be migrating: a large file takes minutes, and whoever comes meanwhile waits for it. */
const PATIENCE_MS = 3_600_000
/** The pages that a rewritten table is built in: each that leaves memory too early is written twice. */
const CACHE_KIB = 256 * 1024

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
  // Whoever holds the lock of a database that is not migrated yet is migrating it, or ends soon.
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
    registerMigrationFunctions(db)
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

function applied(db: Database.Database): string[] {
  const table = db.prepare("select 1 from sqlite_master where name = 'schema_migrations'").get()
  if (table === undefined) return []
  const rows = db.prepare('select name from schema_migrations order by name').all() as { name: string }[]
  return rows.map((row) => row.name)
}

function newer(path: string, unknown: string[]): MnemonicError {
  return new MnemonicError('DATABASE_NEWER', `${path} was written by a newer Mnemonic (it has ${unknown.join(', ')})`, {
    details: { path, unknown },
    hint: 'Update this program: npm install -g agent-mnemonic@latest. Nothing was changed.',
  })
}
