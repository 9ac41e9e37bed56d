/** Bringing a database to this program's schema: room, patience, and what is told meanwhile. What kills leave is in test/e2e/migrate.test.ts. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { oldDatabase } from '../../../test/helpers/old-database.ts'
import { NOON, tempFolder } from '../../../test/helpers/store.ts'
import type { ProgressEvent } from '../../core/progress.ts'
import { migrate, migrationNames } from './migrate.ts'
import { migrationBytes } from './migrate-room.ts'
import { openSqlite } from './open.ts'

const clock = () => NOON

function old(upTo = '010'): string {
  const path = join(tempFolder(), 'mnemonic.db')
  oldDatabase(path, { upTo, sessions: 3, turnsEach: 12 })
  return path
}

const namesIn = (db: Database.Database) => db.prepare('select name from schema_migrations order by name').pluck().all()

it('without room nothing is changed, and the error says what is needed, what is there and what to do', async () => {
  const path = old()
  const db = new Database(path)
  const before = namesIn(db)
  const error = await migrate(db, { clock, free: () => 1 << 20 }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'STORAGE_ERROR', details: { path, free: 1 << 20, needed: expect.any(Number) } })
  expect((error as Error).message).toMatch(/no room to bring .* to this version: [\d,]+ MB needed for a while, 1 MB free/)
  expect((error as { hint: string }).hint).toMatch(/^Free [\d,]+ MB on that disk and run the command again\. Nothing was changed/)
  expect(namesIn(db)).toEqual(before)
  expect(db.inTransaction).toBe(false)
  expect(await migrate(db, { clock })).toBe(true)
  expect(namesIn(db)).toEqual(migrationNames())
  db.close()
})

it('what is needed follows the tables that are written anew', () => {
  const db = new Database(old())
  const bytesOf = (sql: string) => migrationBytes(db, [{ name: 'x', sql }])
  const small = bytesOf('-- why: nothing much\nselect 1;')
  const table = Number(db.prepare("select sum(pgsize) from dbstat where aggregate = true and name like '%agent_turns%'").pluck().get())
  expect(table).toBeGreaterThan(10_000)
  expect(bytesOf('-- why: x\n-- rewrites: agent_turns\n') - small).toBe(Math.ceil(table * 2.2))
  expect(bytesOf('-- rewrites: agent_turns agent_messages\n')).toBeGreaterThan(bytesOf('-- rewrites: agent_turns\n'))
  db.close()
})

it('a new database asks for no room and tells nothing; an old one tells each step', async () => {
  const events: ProgressEvent[] = []
  const onProgress = (event: ProgressEvent) => void events.push(event)
  const fresh = new Database(join(tempFolder(), 'new.db'))
  expect(await migrate(fresh, { clock, onProgress, free: () => 0 })).toBe(true)
  expect(events).toEqual([])
  expect(await migrate(fresh, { clock, onProgress, free: () => 0 })).toBe(false)
  fresh.close()
  const path = old()
  await (await openSqlite({ path, clock, onProgress })).close()
  const total = migrationNames().filter((name) => name > '011').length
  expect(events).toEqual(Array.from({ length: total + 1 }, (_, done) => ({ stage: 'migrate', done, total })))
})

it('whoever comes while another process migrates waits, is told so, and finds the new schema', async () => {
  const path = old()
  const other = new Database(path)
  other.exec('begin immediate')
  const events: ProgressEvent[] = []
  const opened = openSqlite({ path, clock, onProgress: (event) => void events.push(event) })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(events).toEqual([{ stage: 'migrate', done: 0, total: 1, waiting: true }])
  other.exec('rollback')
  const store = await opened
  expect((await store.select('select count(*) from schema_migrations', 1)).rows).toEqual([[migrationNames().length]])
  expect(events.at(-1)).toEqual({ stage: 'migrate', done: 1, total: 1, waiting: true })
  other.close()
  await store.close()
})
