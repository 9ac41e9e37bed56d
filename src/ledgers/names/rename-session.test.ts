import { expect, it } from 'vitest'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import type { Store } from '../../store/store.ts'
import { type AgentRecord, TITLE_RANK } from '../agent-record.ts'
import { agentsWriter } from '../agents-writer.ts'
import { nameWaiting } from './name-waiting.ts'
import { renameSession } from './rename-session.ts'

const RECORDS: AgentRecord[] = [
  { type: 'session', session: 's', firstHash: 's' },
  {
    ...{ type: 'message', session: 's', id: 'm1', recordId: 'm1', hash: 'm1', role: 'user', kind: 'prompt' },
    ...{ text: 'the tide tables are wrong', timestamp: NOON, trust: 'owner' },
  },
]

async function unit(store: Store, records: AgentRecord[]): Promise<void> {
  const writer = agentsWriter({ source: 'test', clock: () => NOON, quietMs: 0 })
  await store.write((tx) => writer.apply(tx, records))
  await store.write((tx) => writer.finish(tx))
}

const titleOf = async (store: Store) =>
  store.read.selectFrom('agent_sessions').select(['title', 'title_origin']).where('native_id', '=', 's').executeTakeFirstOrThrow()
const rename = (store: Store, title: string | null) => renameSession(store, { session: 's', title, agentId: undefined, clock: () => NOON })

it('the owner’s title stays through every import, and can be taken back', async () => {
  const store = await tempStore()
  await unit(store, RECORDS)
  expect(await titleOf(store)).toEqual({ title: 'the tide tables are wrong', title_origin: 'prompt' })
  await rename(store, 'Tides')
  await unit(store, [...RECORDS, { type: 'title', session: 's', title: 'By the harness', rank: TITLE_RANK.custom }])
  expect(await titleOf(store)).toEqual({ title: 'Tides', title_origin: 'owner' })
  await rename(store, null)
  expect(await titleOf(store)).toEqual({ title: 'By the harness', title_origin: 'harness' })
  await expect(rename(store, ' \n')).rejects.toMatchObject({ code: 'USAGE' })
})

it('sessions of an earlier version are named from the ledger, once', async () => {
  const store = await tempStore()
  await unit(store, RECORDS)
  await store.write((tx) => tx.db.updateTable('agent_sessions').set({ title: null, title_origin: null, names_version: 0 }).execute())
  expect(await nameWaiting(store, { guard: async () => undefined })).toBe(1)
  expect(await titleOf(store)).toEqual({ title: 'the tide tables are wrong', title_origin: 'prompt' })
  expect(await nameWaiting(store, { guard: async () => undefined })).toBe(0)
})
