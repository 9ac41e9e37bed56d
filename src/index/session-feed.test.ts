import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { appendTurns, exchange, replaceTurn, seedSession } from '../../test/helpers/seed-ledger.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { IDENTITY_KEY } from './identity.ts'
import { indexer } from './indexer.ts'

const make = (store: Store) => indexer({ store, clock: () => NOON, owner: { name: 'Ann', timezone: 'UTC' } })

const holds = async (store: Store, word: string) =>
  (await store.read.selectFrom('chunks').select('said_assistant').execute()).some(({ said_assistant }) => said_assistant.includes(word))

it('a run that was stopped leaves it where it was, and the next one finds the rest', async () => {
  const store = await tempStore()
  const id = await seedSession(store, { id: 'harbor', turns: [exchange('Which harbor?', 'Rotterdam.')] })
  await make(store).tail()
  await appendTurns(store, id, [exchange('And then?', 'Hamburg.')])
  await expect(make(store).tail({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(await make(store).pending()).toBe(1)
  await make(store).tail()
  expect(await holds(store, 'Hamburg')).toBe(true)
  expect(await make(store).pending()).toBe(0)
})

it('what is said while a run is at work is the next run’s', async () => {
  const store = await tempStore()
  const id = await seedSession(store, { id: 'harbor', turns: [exchange('Which harbor?', 'Rotterdam.')] })
  const other = await seedSession(store, { id: 'pier', turns: [exchange('Which pier?', 'The old one.')] })
  await make(store).tail()
  await appendTurns(store, other, [exchange('Which plank?', 'The loose one.')])
  let said: Promise<void> | undefined
  const onProgress = () => {
    said ??= appendTurns(store, id, [exchange('And then?', 'Hamburg.')])
  }
  await make(store).tail({ onProgress })
  await said
  await make(store).tail()
  expect(await holds(store, 'loose')).toBe(true)
  expect(await holds(store, 'Hamburg')).toBe(true)
})

it('a rebuild that was stopped is taken up from its beginning', async () => {
  const store = await tempStore()
  await seedSession(store, { id: 'harbor', turns: [exchange('Which harbor?', 'Rotterdam.')] })
  await make(store).tail()
  await expect(make(store).backfill({ force: true, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(await make(store).pending()).toBe(1)
})

it('each persona has one of its own', async () => {
  const store = await tempStore()
  await make(store).tail() // sets the index identity
  await seedSession(store, { id: 'mine', turns: [exchange('Mine?', 'Mine it is.')] })
  await seedSession(store, { id: 'theirs', agentId: 'ops', turns: [exchange('Theirs?', 'Theirs it is.')] })
  await make(store).tail({ agentId: 'main' })
  expect(await make(store).pending('main')).toBe(0)
  expect(await make(store).pending('ops')).toBe(1)
  await make(store).tail({ agentId: 'ops' })
  expect(await holds(store, 'Theirs it is')).toBe(true)
  const keys = await store.read
    .selectFrom('meta')
    .select('key')
    .where('key', 'like', 'memory_sessions_ledger_cursor%')
    .orderBy('key')
    .execute()
  expect(keys.map(({ key }) => key)).toEqual(['memory_sessions_ledger_cursor_v1', 'memory_sessions_ledger_cursor_v1:ops'])
})

it('the index is of this version only when the documents of every persona are', async () => {
  const store = await tempStore()
  await seedSession(store, { id: 'mine', turns: [exchange('Mine?', 'Mine it is.')] })
  await seedSession(store, { id: 'theirs', agentId: 'ops', turns: [exchange('Theirs?', 'Theirs it is.')] })
  const identity = async () =>
    (await store.read.selectFrom('meta').select('value').where('key', '=', IDENTITY_KEY).executeTakeFirst())?.value
  await make(store).backfill({ agentId: 'main' })
  expect(await identity()).toBeUndefined()
  await make(store).tail({ agentId: 'main' })
  expect(await identity()).toBe(make(store).identity)
  expect(await holds(store, 'Theirs it is')).toBe(true)
})

it('a turn that is replaced while its long document is written leaves nothing of its old text', async () => {
  const store = await tempStore()
  const long = (word: string) => Array.from({ length: 4000 }, (_, n) => `${word} ${n}.`).join(' ')
  const id = await seedSession(store, { id: 'long', turns: [exchange('Tell me all', long('granite'))] })
  const index = indexer({ store, clock: () => NOON, owner: { name: 'Ann', timezone: 'UTC' }, maxChunkTokens: 100 })
  const run = index.tail()
  // Writes are serialized: runs between two transactions.
  while ((await store.read.selectFrom('chunks').select('id').limit(1).execute()).length === 0) await new Promise(setImmediate)
  expect((await store.read.selectFrom('chunks').select('id').execute()).length).toBeLessThan(200)
  await replaceTurn(store, `${id}/m1`, exchange('Tell me all', 'Only marble now.'))
  await run
  await index.tail()
  expect(await holds(store, 'granite')).toBe(false)
  expect(await holds(store, 'marble')).toBe(true)
})

it('chunks whose turn is gone are removed', async () => {
  const store = await tempStore()
  await seedSession(store, { id: 'harbor', turns: [exchange('Which harbor?', 'Rotterdam.'), exchange('And then?', 'Hamburg.')] })
  await make(store).tail()
  const db = new Database(store.location)
  db.pragma('foreign_keys = off') // as another program might
  db.exec("delete from agent_turns where id like '%/m1'")
  db.close()
  expect(await make(store).clean()).toMatchObject({ chunks: 1 })
  expect([await holds(store, 'Rotterdam'), await holds(store, 'Hamburg')]).toEqual([false, true])
})

it('a long document whose writing was broken off is written to its end by the next run', async () => {
  const store = await tempStore()
  const index = indexer({ store, clock: () => NOON, owner: { name: 'Ann', timezone: 'UTC' }, maxChunkTokens: 100 })
  const id = await seedSession(store, { id: 'long', turns: [exchange('Hello', 'Hello to you.')] })
  await index.tail()
  await appendTurns(store, id, [exchange('Tell me all', Array.from({ length: 4000 }, (_, n) => `granite ${n}.`).join(' '))])
  const stop = new AbortController()
  const run = index.tail({ signal: stop.signal })
  const count = async () => (await store.read.selectFrom('chunks').select('id').execute()).length
  while ((await count()) === 1) await new Promise(setImmediate)
  stop.abort()
  await expect(run).rejects.toMatchObject({ code: 'INTERRUPTED' })
  const broken = await count()
  await index.tail()
  expect(await count()).toBeGreaterThan(broken)
  expect(await holds(store, 'granite 3999')).toBe(true)
})
