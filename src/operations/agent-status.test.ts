import { expect, it } from 'vitest'
import { exchange, seedSession } from '../../test/helpers/seed-ledger.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { indexer } from '../index/indexer.ts'
import { agentStatus } from './agent-status.ts'

it('counts the memory of one agent, and nothing of the others', async () => {
  const store = await tempStore()
  const index = indexer({ store, clock: () => NOON, owner: { name: 'Ada', timezone: 'UTC' } })
  await seedSession(store, { id: 's1', turns: [exchange('How deep is the lock?', 'Four metres.'), exchange('And at low water?', 'Two.')] })
  await seedSession(store, { id: 's2', agentId: 'other', turns: [exchange('Which pier?', 'The northern one.')] })
  expect(await agentStatus(store, 'main')).toMatchObject({ sessions: 1, turns: 2, documents: 0, chunks: 0, waiting_sessions: 1 })
  await index.tail()
  expect(await agentStatus(store, 'main')).toEqual({ last_sync: null, sessions: 1, turns: 2, documents: 2, chunks: 2, waiting_sessions: 0 })
  expect(await agentStatus(store, 'other')).toMatchObject({ sessions: 1, turns: 1, documents: 1, chunks: 1 })
  expect(await agentStatus(store, 'nobody')).toMatchObject({ sessions: 0, turns: 0, documents: 0, chunks: 0, waiting_sessions: 0 })
})
