import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { NOON, tempFolder } from '../../../test/helpers/store.ts'
import { migrationNames } from './migrate/migrate.ts'
import { openSqlite } from './open.ts'

const clock = () => NOON

describe('opening', () => {
  it('creates folder and file for the owner alone', async () => {
    const path = join(tempFolder(), 'home', 'mnemonic.db')
    const store = await openSqlite({ path, clock })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
    await store.close()
  })

  it('refuses a file that is not a database and leaves every byte of it', async () => {
    const path = join(tempFolder(), 'notes.db')
    writeFileSync(path, 'my notes, not a database')
    await expect(openSqlite({ path, clock })).rejects.toMatchObject({ code: 'NOT_A_DATABASE' })
    expect(readFileSync(path, 'utf8')).toBe('my notes, not a database')
  })

  it('refuses the database of another program', async () => {
    const path = join(tempFolder(), 'other.db')
    const other = new Database(path)
    other.exec('create table theirs (x)')
    other.close()
    const before = readFileSync(path)
    await expect(openSqlite({ path, clock })).rejects.toMatchObject({ code: 'NOT_A_DATABASE' })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('refuses a database of a newer program', async () => {
    const path = join(tempFolder(), 'mnemonic.db')
    await (await openSqlite({ path, clock })).close()
    const raw = new Database(path)
    raw.prepare("insert into schema_migrations values ('999_future.sql', 1)").run()
    raw.close()
    await expect(openSqlite({ path, clock })).rejects.toMatchObject({ code: 'DATABASE_NEWER', details: { unknown: ['999_future.sql'] } })
  })

  it('brings a half-migrated database to the end, each migration recorded once', async () => {
    const path = join(tempFolder(), 'mnemonic.db')
    const raw = new Database(path)
    const [first] = migrationNames()
    raw.exec('create table schema_migrations (name text primary key, applied_at integer not null) without rowid')
    raw.exec(readFileSync(new URL(`./migrations/${first}`, import.meta.url), 'utf8'))
    raw.prepare('insert into schema_migrations values (?, 1)').run(first)
    raw.pragma(`application_id = ${0x4d4e454d}`)
    raw.close()
    const store = await openSqlite({ path, clock })
    const { rows } = await store.select('select name from schema_migrations order by name', 100)
    expect(rows.flat()).toEqual(migrationNames())
    await store.close()
  })
})
