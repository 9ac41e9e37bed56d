import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { NOON, tempFolder, tempStore } from '../../../../test/helpers/store.ts'
import type { Store } from '../../store.ts'
import { openSqlite } from '../open.ts'
import { copyDatabase, faultsOf } from './copy.ts'
import { sqliteFiles } from './database-files.ts'

const put = (store: Store, key: string, value: string) =>
  store.write((tx) =>
    tx.db
      .insertInto('meta')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute(),
  )
const get = async (store: Store, key: string) =>
  (await store.read.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value

/** Large enough for a copy of several steps. */
const filled = async (store: Store, mark: string) => {
  for (let i = 0; i < 20; i++) await put(store, `filler-${i}`, `${mark}${'x'.repeat(1_000_000)}`)
  await put(store, 'mark', mark)
}

it('a copy holds one moment, however often others write while it is made', async () => {
  const store = await tempStore()
  await filled(store, 'a')
  await put(store, 'left', '0')
  await put(store, 'right', '0')
  const other = new Database(store.location)
  const both = other.prepare("update meta set value = ? where key in ('left', 'right')")
  let writes = 0
  const to = join(tempFolder(), 'copy.db')
  await copyDatabase(store.location, to, { onBytes: () => void both.run(String(++writes)) })
  other.close()
  expect(writes).toBeGreaterThan(2)
  const copy = new Database(to, { readonly: true })
  expect(copy.prepare("select value from meta where key in ('left', 'right')").pluck().all()).toEqual(['0', '0'])
  expect(copy.pragma('journal_mode', { simple: true })).toBe('delete')
  copy.close()
  expect(faultsOf(to)).toEqual([])
  expect(statSync(to).mode & 0o777).toBe(0o600)
  expect(readdirSync(dirname(to))).toEqual(['copy.db'])
})

it('a copy that is stopped leaves nothing', async () => {
  const store = await tempStore()
  await filled(store, 'a')
  const stop = new AbortController()
  const to = join(tempFolder(), 'copy.db')
  const copied = store.file.copyTo(to, { onBytes: () => stop.abort(new Error('enough')), signal: stop.signal })
  await expect(copied).rejects.toThrow('enough')
  expect(readdirSync(dirname(to))).toEqual([])
})

it('a copy of a damaged database is refused, and made when it is asked for as it is', async () => {
  const store = await tempStore()
  await filled(store, 'a')
  const raw = join(tempFolder(), 'damaged.db')
  await store.file.copyTo(raw)
  const db = new Database(raw)
  const pages = db.pragma('page_count', { simple: true }) as number
  const { rootpage } = db.prepare("select rootpage from sqlite_schema where name = 'jobs'").get() as { rootpage: number }
  db.close()
  const { openSync, writeSync, closeSync } = await import('node:fs')
  const file = openSync(raw, 'r+')
  writeSync(file, Buffer.alloc(4096, 0x5a), 0, 4096, (rootpage - 1) * 4096)
  closeSync(file)
  expect(pages).toBeGreaterThan(rootpage)
  const broken = await openSqlite({ path: raw, clock: () => NOON })
  const to = join(tempFolder(), 'copy.db')
  await expect(broken.file.copyTo(to)).rejects.toMatchObject({ code: 'STORAGE_ERROR' })
  expect(existsSync(to)).toBe(false)
  await broken.file.copyTo(to, { unchecked: true })
  expect(statSync(to).size).toBe(statSync(raw).size)
  await broken.close()
})

/** `live` open twice, as by two processes, and a file to replace its content. */
async function twoSides() {
  const live = await tempStore()
  await filled(live, 'old')
  const neighbour = await openSqlite({ path: live.location, clock: () => NOON })
  const source = await tempStore()
  await filled(source, 'new')
  const staged = join(tempFolder(), 'staged.db')
  await source.file.copyTo(staged)
  return { live, neighbour, staged }
}

it('content is replaced for everyone at once: a reader ends with what it began with, the next one sees the new', async () => {
  const { live, neighbour, staged } = await twoSides()
  const reader = new Database(live.location, { readonly: true })
  const mark = reader.prepare("select value from meta where key = 'mark'").pluck()
  reader.exec('begin')
  expect(mark.get()).toBe('old')
  const seen = new Set<unknown>()
  const watcher = new Database(live.location, { readonly: true })
  const watched = watcher.prepare("select min(substr(value, 1, 3)) || max(substr(value, 1, 3)) from meta where key like 'filler-%'").pluck()
  expect(await live.file.replaceWith(staged, { expectMeta: {}, onBytes: () => void seen.add(watched.get()) })).toBe(true)
  expect([...seen]).toEqual(['oldold'])
  expect(watched.get()).toBe('newnew')
  expect(mark.get()).toBe('old')
  reader.exec('commit')
  expect(mark.get()).toBe('new')
  for (const store of [live, neighbour]) expect(await get(store, 'mark')).toBe('new')
  await put(neighbour, 'after', 'it goes on')
  expect(await get(live, 'after')).toBe('it goes on')
  for (const db of [reader, watcher]) db.close()
  await neighbour.close()
  expect(faultsOf(live.location)).toEqual([])
})

it('nothing is replaced when the meta that was expected has changed', async () => {
  const { live, neighbour, staged } = await twoSides()
  await put(neighbour, 'revision', '2')
  expect(await live.file.replaceWith(staged, { expectMeta: { revision: '1' } })).toBe(false)
  expect(await live.file.replaceWith(staged, { expectMeta: { revision: undefined } })).toBe(false)
  expect(await get(live, 'mark')).toBe('old')
  await put(neighbour, 'mark', 'still writable')
  expect(await live.file.replaceWith(staged, { expectMeta: { revision: '2' } })).toBe(true)
  expect(await get(live, 'mark')).toBe('new')
  await neighbour.close()
})

it('a replacement waits for the process that holds the write lock', async () => {
  const { live, neighbour, staged } = await twoSides()
  const other = new Database(live.location)
  other.exec('begin immediate')
  other.exec("update meta set value = 'theirs' where key = 'mark'")
  const replaced = live.file.replaceWith(staged, { expectMeta: {} })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await get(live, 'mark')).toBe('old')
  other.exec('commit')
  expect(await replaced).toBe(true)
  expect(await get(live, 'mark')).toBe('new')
  other.close()
  await neighbour.close()
})

it('the log of vector changes gets a gap, so that processes that follow it load the vectors anew', async () => {
  const { live, neighbour, staged } = await twoSides()
  const db = new Database(live.location)
  db.exec('insert into chunk_sign_changes (number, chunk_id) values (41, 7)')
  await live.file.replaceWith(staged, { expectMeta: {} })
  expect(db.prepare('select min(number) from chunk_sign_changes').pluck().get()).toBeGreaterThan(42)
  db.close()
  await neighbour.close()
})

it('a file of another program, a text and a newer database are told apart, and nothing appears beside them', async () => {
  const files = sqliteFiles(() => NOON)
  const folder = tempFolder()
  const [other, text, newer] = ['other.db', 'text.db', 'newer.db'].map((name) => join(folder, name)) as [string, string, string]
  const db = new Database(other)
  db.exec('create table notes (body text)')
  db.close()
  const { writeFileSync } = await import('node:fs')
  writeFileSync(text, 'this is no database, though it is long enough to have the header of one')
  const store = await tempStore()
  await store.file.copyTo(newer)
  const ahead = new Database(newer)
  ahead.exec("insert into schema_migrations (name, applied_at) values ('999_later.sql', 1)")
  ahead.close()
  const before = readdirSync(folder)
  expect(() => files.check(other)).toThrow(expect.objectContaining({ code: 'NOT_A_DATABASE' }))
  expect(() => files.check(text)).toThrow(expect.objectContaining({ code: 'NOT_A_DATABASE' }))
  expect(() => files.check(newer)).toThrow(expect.objectContaining({ code: 'DATABASE_NEWER' }))
  expect(() => files.check(join(folder, 'none.db'))).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  expect(readdirSync(folder)).toEqual(before)
})

it('a database that was only copied with its log is read whole, and gets no file beside it', async () => {
  const store = await tempStore()
  await put(store, 'mark', 'in the log only')
  const folder = tempFolder()
  const { copyFileSync } = await import('node:fs')
  for (const end of ['', '-wal']) copyFileSync(store.location + end, join(folder, `plain.db${end}`))
  const to = join(tempFolder(), 'copy.db')
  await sqliteFiles(() => NOON).copy(join(folder, 'plain.db'), to)
  expect(readdirSync(folder)).toEqual(['plain.db', 'plain.db-wal'])
  const copy = new Database(to, { readonly: true })
  expect(copy.prepare("select value from meta where key = 'mark'").pluck().get()).toBe('in the log only')
  copy.close()
})
