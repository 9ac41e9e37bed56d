import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
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

describe('the store', () => {
  it('has the tables and columns that tables.ts declares', async () => {
    const store = await tempStore()
    const source = readFileSync(new URL('../tables.ts', import.meta.url), 'utf8')
    const declared = new Map<string, string[]>()
    for (const [, name, body] of source.matchAll(/export interface (\w+)Table \{\n(.*?)\n\}/gs)) {
      declared.set(
        String(name),
        [...String(body).matchAll(/^ {2}(\w+):/gm)].map((match) => String(match[1])),
      )
    }
    const { rows } = await store.select(
      "select m.name, group_concat(c.name) from sqlite_master m, pragma_table_info(m.name) c where m.type in ('table', 'view') group by m.name",
      200,
    )
    const found = new Map(rows.map(([name, columns]) => [String(name), String(columns).split(',')]))
    for (const [name, columns] of declared) {
      const table = name.replace(/[A-Z]/g, (letter, i) => (i === 0 ? '' : '_') + letter.toLowerCase())
      expect(found.get(table)?.sort(), table).toEqual(columns.sort())
    }
    expect(declared.size).toBeGreaterThan(30)
  })

  it('rolls a failed write back and goes on with the next', async () => {
    const store = await tempStore()
    const add = (key: string) => store.write((tx) => tx.db.insertInto('meta').values({ key, value: '1' }).execute())
    await expect(
      store.write(async (tx) => {
        await tx.db.insertInto('meta').values({ key: 'a', value: '1' }).execute()
        throw new Error('stop')
      }),
    ).rejects.toThrow('stop')
    await add('b')
    expect(await store.read.selectFrom('meta').select('key').execute()).toEqual([{ key: 'b' }])
    await expect(add('b')).rejects.toMatchObject({ code: 'STORAGE_ERROR' })
  })

  it('readers see nothing of a write before it commits', async () => {
    const store = await tempStore()
    await store.write(async (tx) => {
      await tx.db.insertInto('meta').values({ key: 'a', value: '1' }).execute()
      expect(await store.read.selectFrom('meta').selectAll().execute()).toEqual([])
    })
    expect(await store.read.selectFrom('meta').selectAll().execute()).toHaveLength(1)
  })

  it('runs queries and refuses everything that could write', async () => {
    const store = await tempStore()
    expect(await store.select('select 1 as one union select 2', 1)).toEqual({ columns: ['one'], rows: [[1]], truncated: true })
    for (const bad of [
      'delete from meta',
      "insert into meta values ('a','b')",
      'select 1; select 2',
      'attach database "x" as y',
      'pragma journal_mode = delete',
      'nonsense',
    ]) {
      await expect(store.select(bad, 10), bad).rejects.toMatchObject({ code: 'SQL_REFUSED' })
    }
  })
})
