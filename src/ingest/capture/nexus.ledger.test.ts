/** Turns without parents: order comes from the ancestry of their heads. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { put } from '../../../test/helpers/sources/nexus.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import type { Store } from '../../store/store.ts'
import { syncSources } from '../sync.ts'
import { nexus } from './nexus.ts'

const SCHEMA = `
  create table sessions (label text primary key, thread_id text, created_at integer, updated_at integer);
  create table session_history (id integer primary key autoincrement, session_label text, thread_id text);
  create table threads (turn_id text primary key, ancestry text);
  create table turns (id text primary key, started_at integer, model text);
  create table messages (id text primary key, turn_id text, role text, content text, sequence integer, created_at integer);`

interface Written {
  readonly session?: string
  readonly turn: string
  readonly ancestry: readonly string[]
}

function ledger() {
  const folder = tempFolder()
  mkdirSync(join(folder, 'data'))
  const open = () => new Database(join(folder, 'data', 'agents.db'))
  const db = open()
  db.exec(SCHEMA)
  db.close()
  let at = NOON - 86_400_000
  return {
    adapter: nexus({ paths: [folder] }),
    write({ session = 'main', turn, ancestry }: Written) {
      const db = open()
      at += 60_000
      put(db, 'turns', { id: turn, started_at: at, model: 'acme-1' })
      put(db, 'threads', { turn_id: turn, ancestry: JSON.stringify(ancestry) })
      const message = { turn_id: turn, created_at: at }
      put(db, 'messages', { ...message, id: `${turn}-u`, role: 'user', content: `ask ${turn}`, sequence: 1 })
      put(db, 'messages', { ...message, id: `${turn}-a`, role: 'assistant', content: `say ${turn}`, sequence: 2 })
      const created_at = session === 'main' ? NOON - 86_400_000 : at
      put(db, 'sessions', { label: session, thread_id: turn, created_at, updated_at: at })
      put(db, 'session_history', { session_label: session, thread_id: turn })
      db.close()
    },
  }
}

async function turns(store: Store): Promise<string[]> {
  const rows = await store.read.selectFrom('agent_turns').select(['id', 'parent_turn_id', 'status']).orderBy('timestamp').execute()
  const short = (id: string | null) => id?.split('/').at(-1) ?? '-'
  return rows.map(({ id, parent_turn_id, status }) => `${short(parent_turn_id)} → ${short(id)} ${status}`)
}

async function sync(store: Store, adapter: ReturnType<typeof nexus>) {
  const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
  await syncSources({ store, adapters: [adapter], ...options })
  return turns(store)
}

it('each turn follows the last of its ancestry; a turn off the head’s is superseded, in one sync or in several', async () => {
  const { adapter, write } = ledger()
  const store = await tempStore()
  write({ turn: 't1', ancestry: ['t1'] })
  write({ turn: 't2', ancestry: ['t1', 't2'] })
  expect(await sync(store, adapter)).toEqual(['- → t1-a final', 't1-a → t2-a final'])
  write({ turn: 't3', ancestry: ['t1', 't2'] })
  expect(await sync(store, adapter)).toEqual(['- → t1-a final', 't1-a → t2-a final', 't2-a → t3-a final'])
  write({ turn: 't4', ancestry: ['t4', 't1'] })
  write({ session: 'other', turn: 't5', ancestry: ['t1', 't2', 't5'] })
  const all = ['- → t1-a final', 't1-a → t2-a superseded', 't2-a → t3-a superseded', 't1-a → t4-a final', 't2-a → t5-a final']
  expect(await sync(store, adapter)).toEqual(all)
  expect(await sync(await tempStore(), adapter)).toEqual(all)
})
