/** Sessions of one name: a resumed unit without its first record continues its own session. */
import { expect, it } from 'vitest'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import type { AgentRecord } from './agent-record.ts'
import { agentsWriter } from './agents-writer.ts'

const ONE = '1'.repeat(16)
const TWO = '2'.repeat(16)
const beginning = (firstHash: string): AgentRecord => ({ type: 'session', session: 'chat', firstHash, weakName: true })
const news: AgentRecord = { type: 'session', session: 'chat', firstHash: TWO, context: { mode: 'plan' } }

function says(id: string, session = 'chat'): AgentRecord {
  return { type: 'message', session, id, hash: id, role: 'user', kind: 'prompt', text: `text of ${id}`, timestamp: NOON, trust: 'owner' }
}

async function unit(store: Store, records: readonly AgentRecord[], own: readonly string[] = []): Promise<string[]> {
  const writer = agentsWriter({ source: 'test', clock: () => NOON, quietMs: 1000, own })
  await store.write(async (tx) => {
    await writer.apply(tx, records)
    await writer.finish(tx)
  })
  return writer.sessions()
}

async function two(): Promise<Store> {
  const store = await tempStore()
  await unit(store, [beginning(ONE), says('a1')])
  expect(await unit(store, [beginning(TWO), says('b1')])).toEqual(['test:chat~22222222'])
  return store
}

it('goes on in the session that it gave before', async () => {
  const store = await two()
  for (const records of [[says('b2')], [news, says('b3')], [beginning(TWO), says('b4')]])
    expect(await unit(store, records, ['test:chat~22222222'])).toEqual(['test:chat~22222222'])
  expect(await unit(store, [says('a2')], ['test:chat'])).toEqual(['test:chat'])
})

it('goes on in its own session where an earlier version put later lines into the other one', async () => {
  const own = ['test:chat~22222222', 'test:chat']
  expect(await unit(await two(), [says('b2')], own)).toEqual(['test:chat~22222222'])
  expect(await unit(await two(), [beginning(TWO), says('b2')], own)).toEqual(['test:chat~22222222'])
})

it('is the plain session where it gave that one first', async () => {
  expect(await unit(await two(), [says('a2')], ['test:chat', 'test:chat~22222222'])).toEqual(['test:chat'])
})

it('is another session where it was written anew and begins otherwise', async () => {
  const store = await two()
  const own = ['test:chat~22222222', 'test:chat~33333333']
  expect(await unit(store, [beginning('3'.repeat(16)), says('c1')], own.slice(0, 1))).toEqual(own.slice(1))
  expect(await unit(store, [says('c2')], own)).toEqual(own.slice(1))
})

it('does not take a session for a disambiguated one whose own name looks like it', async () => {
  const store = await tempStore()
  await unit(store, [says('x1', 'chat~22222222'), says('y1')])
  expect(await unit(store, [says('y2')], ['test:chat~22222222', 'test:chat'])).toEqual(['test:chat'])
})
