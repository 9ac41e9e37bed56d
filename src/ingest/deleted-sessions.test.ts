/** A session deleted in its source stays in the ledger but leaves the index. Also tests Nexus turn names. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import { moveTo, openNexus, putSession, putTurn } from '../../test/helpers/sources/nexus.ts'
import { specLedger } from '../../test/helpers/spec-ledger.ts'
import { NOON } from '../../test/helpers/store.ts'

const exchange = { prompt: 'Where is the lighthouse?', answer: 'On the northern pier.', at: NOON - 86_400_000 }

it('nexus: a deleted session leaves search and its events, the ledger keeps it, and it comes back', async () => {
  const home = testHome()
  const folder = join(home.root, 'nexus')
  const db = openNexus(folder)
  putSession(db, 'pier')
  putTurn(db, 'pier', { id: 't1', exchange })
  const path = join(folder, 'data', 'agents.db')
  const mnemonic = await home.open()
  const found = async () => (await mnemonic.search({ query: 'lighthouse' })).results.length
  const status = async () => (await mnemonic.sql('select status, head_turn_id is not null as headed from agent_sessions')).rows
  const say = async (value: string, at: number) => {
    db.prepare('update sessions set status = ? where label = ?').run(value, 'pier')
    moveTo(db, 'pier', 't1', at)
    await mnemonic.sync({ path, adapters: ['nexus', 'aix-events'], embed: false })
  }
  await mnemonic.sync({ path, adapters: ['nexus', 'aix-events'], embed: false })
  expect(await found()).toBe(1)
  await say('deleted', NOON - 80_000_000)
  expect(await found()).toBe(0)
  expect(await status()).toEqual([['deleted', 1]])
  expect((await mnemonic.sql('select count(*) from files')).rows).toEqual([[0]])
  expect((await mnemonic.sql("select count(*) from events where source_adapter = 'aix-events'")).rows).toEqual([[0]])
  expect((await mnemonic.sql('select count(*) from agent_messages')).rows).toEqual([[2]])
  await say('active', NOON - 70_000_000)
  expect(await found()).toBe(1)
  expect((await status())[0]?.[0]).not.toBe('deleted')
  db.close()
})

it('nexus: a turn is found by the name it has there, in show and in memory_get', async () => {
  const home = testHome()
  const folder = join(home.root, 'nexus')
  const db = openNexus(folder)
  putSession(db, 'pier')
  putTurn(db, 'pier', { id: 't1', exchange })
  putTurn(db, 'pier', { id: 't2', parent: 't1', exchange: { ...exchange, prompt: 'And the bell?', at: exchange.at + 60_000 } })
  db.close()
  const mnemonic = await home.open()
  await mnemonic.sync({ path: join(folder, 'data', 'agents.db'), embed: false })
  expect(await mnemonic.show('t1')).toMatchObject({ kind: 'turn', turns: [{ turn_id: 'nexus:pier/t1-a' }] })
  expect(await mnemonic.show('t2')).toMatchObject({ kind: 'turn', turns: [{ turn_id: 'nexus:pier/t2-a' }] })
  expect((await mnemonic.memoryGet({ id: 't1' })).text).toContain('Where is the lighthouse?')
})

it('aix-agents: what was deleted there is deleted here, and what was not says nothing', async () => {
  const home = testHome()
  const ledger = specLedger()
  const mnemonic = await home.open()
  const sync = () => mnemonic.sync({ path: ledger.path, embed: false })
  await sync()
  ledger.change("alter table agent_sessions add column status text; update agent_sessions set status = 'deleted' where id = 's1'")
  await sync()
  const statuses = async () => (await mnemonic.sql("select status = 'deleted' from agent_sessions order by id")).rows
  expect(await statuses()).toEqual([[1], [0]])
  expect((await mnemonic.search({ query: 'lighthouses' })).results).toEqual([])
  ledger.change("update agent_sessions set status = 'active' where id = 's1'")
  await sync()
  expect(await statuses()).toEqual([[1], [0]])
})

it('a deleted session that is imported for the first time never enters the index', async () => {
  const home = testHome()
  const folder = join(home.root, 'nexus')
  const nexus = openNexus(folder)
  putSession(nexus, 'pier', { status: 'deleted' })
  putTurn(nexus, 'pier', { id: 't1', exchange })
  nexus.close()
  const mnemonic = await home.open()
  await mnemonic.sync({ path: join(folder, 'data', 'agents.db'), embed: false })
  const db = new Database(home.database, { readonly: true })
  expect(db.prepare('select status, head_turn_id from agent_sessions').all()).toEqual([
    { status: 'deleted', head_turn_id: 'nexus:pier/t1-a' },
  ])
  expect(db.prepare('select count(*) as n from chunks').get()).toEqual({ n: 0 })
  db.close()
})
