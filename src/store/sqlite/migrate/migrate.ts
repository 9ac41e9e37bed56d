/** Applies all missing migrations in one transaction: a killed process leaves the old schema or the new one. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import type { Clock } from '../../../core/clock.ts'
import { asMnemonicError, MnemonicError } from '../../../core/error.ts'
import type { OnProgress } from '../../../core/progress.ts'
import { plural } from '../../../core/text.ts'
import { retryWhileBusy } from '../storage-error.ts'
import { halfBlob } from '../vectors/blob.ts'
import { type FreeSpace, freeSpace, requireMigrationRoom } from './room.ts'

/** "MNEM": marks the database as ours. */
export const APPLICATION_ID = 0x4d4e454d

const FOLDER = new URL('../migrations/', import.meta.url)
const PATIENCE_MS = 3_600_000
/** Page cache for rebuilt tables: a page evicted early is written twice. */
const CACHE_KIB = 256 * 1024

/** VACUUM pays off from this share of free pages … */
const EMPTY_SHARE = 0.15
/** … up to this size (seconds), since it blocks other writers. Larger files reuse free pages instead. */
const MOST_BYTES = 2 ** 31
const LOG_PATIENCE_MS = 1000

export interface MigrateOptions {
  readonly clock: Clock
  readonly onProgress?: OnProgress | undefined
  readonly signal?: AbortSignal | undefined
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
 * Returns whether anything was applied. Throws DATABASE_NEWER for an unknown migration, STORAGE_ERROR if space is short; both leave the
 * file unchanged.
 */
export async function migrate(db: Database.Database, options: MigrateOptions): Promise<boolean> {
  const known = migrationNames()
  const isCurrent = () => {
    const done = applied(db)
    return done.length === known.length && known.every((name) => done.includes(name))
  }
  let waited = false
  // A process that locks an unmigrated database is migrating it or about to exit.
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

function addFunctions(db: Database.Database): void {
  db.function('mnemonic_float16', { deterministic: true }, (blob: unknown) => halfBlob(blob as Buffer))
}

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

export function newer(path: string, unknown: readonly string[]): MnemonicError {
  return new MnemonicError('DATABASE_NEWER', `${path} was written by a newer Mnemonic (it has ${unknown.join(', ')})`, {
    details: { path, unknown },
    hint: 'Update this program: npm install -g agent-mnemonic@latest. Nothing was changed.',
  })
}

/** Reclaims the WAL and free pages after a migration. Optional: on failure the file just stays larger. */
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
    if (code !== 'STORAGE_ERROR' && code !== 'DATABASE_BUSY') throw thrown
  }
}
