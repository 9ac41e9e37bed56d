/** Brings a database to this program's schema. Each migration commits together with its record, under the write lock. */
import { readdirSync, readFileSync } from 'node:fs'
import type Database from 'better-sqlite3'
import type { Clock } from '../../core/clock.ts'
import { MnemonicError } from '../../core/error.ts'

/** "MNEM": says that a database is ours. */
export const APPLICATION_ID = 0x4d4e454d

const FOLDER = new URL('./migrations/', import.meta.url)

export function migrationNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
}

/** Applies what is missing. Throws DATABASE_NEWER, having changed nothing, when the file knows a migration that we do not. */
export function migrate(db: Database.Database, clock: Clock): void {
  const known = migrationNames()
  if (known.every((name) => applied(db).includes(name)) && applied(db).length === known.length) return
  db.exec('begin immediate')
  try {
    db.exec('create table if not exists schema_migrations (name text primary key, applied_at integer not null) without rowid')
    const done = applied(db)
    const unknown = done.filter((name) => !known.includes(name))
    if (unknown.length > 0) throw newer(db.name, unknown)
    const record = db.prepare('insert into schema_migrations (name, applied_at) values (?, ?)')
    for (const name of known) {
      if (done.includes(name)) continue
      db.exec(readFileSync(new URL(name, FOLDER), 'utf8'))
      record.run(name, clock())
    }
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.exec('commit')
  } catch (error) {
    if (db.inTransaction) db.exec('rollback')
    throw error
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
