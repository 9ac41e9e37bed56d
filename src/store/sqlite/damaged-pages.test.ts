import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { NOON, tempFolder } from '../../../test/helpers/store.ts'
import { openSqlite } from './open.ts'

const PAGE = 4096
const DAMAGED = { code: 'STORAGE_ERROR', hint: expect.stringContaining('mnemonic doctor --repair') }

/** Destroys the first page of these tables. */
async function storeWithout(...tables: readonly string[]) {
  const path = join(tempFolder(), 'mnemonic.db')
  await (await openSqlite({ path, clock: () => NOON })).close()
  const db = new Database(path, { readonly: true })
  const roots = tables.map((name) => db.prepare('select rootpage from sqlite_master where name = ?').pluck().get(name) as number)
  expect(db.pragma('page_size', { simple: true })).toBe(PAGE)
  db.close()
  const file = openSync(path, 'r+')
  for (const root of roots) writeSync(file, Buffer.alloc(PAGE), 0, PAGE, (root - 1) * PAGE)
  closeSync(file)
  return openSqlite({ path, clock: () => NOON, asIs: true })
}

describe('a damaged page', () => {
  it('of the index is an error that says how to repair it, whoever asks', async () => {
    const store = await storeWithout('index_chunks', 'index_words', 'work_waiting', 'agent_messages')
    await expect(store.lexical.size()).rejects.toMatchObject(DAMAGED)
    await expect(store.vectors.coverage()).rejects.toMatchObject(DAMAGED)
    await expect(store.work.coverage()).rejects.toMatchObject(DAMAGED)
    const walk = store.walk('agent_messages', ['content'])[Symbol.asyncIterator]()
    await expect(walk.next()).rejects.toMatchObject(DAMAGED)
    await store.close()
  })

  it('is no fault of a typed query', async () => {
    const store = await storeWithout('agent_sessions')
    await expect(store.select('select * from agent_sessions', 10)).rejects.toMatchObject(DAMAGED)
    await expect(store.select('select nothing from agent_turns', 10)).rejects.toMatchObject({ code: 'SQL_REFUSED' })
    await store.close()
  })
})
