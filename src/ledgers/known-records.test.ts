/** Known records, and memory between batches of a unit. */
import { expect, it } from 'vitest'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import type { AgentRecord, MessageRecord } from './agent-record.ts'
import { agentsWriter } from './agents-writer.ts'

const session: AgentRecord = { type: 'session', session: 's', firstHash: 'first' }

const message = (id: string, role: 'user' | 'assistant', more: Partial<MessageRecord> = {}): MessageRecord => ({
  ...{ type: 'message', session: 's', id, recordId: id, hash: `hash of ${id}`, role, kind: role === 'user' ? 'prompt' : 'reply' },
  ...{ text: `text of ${id}`, timestamp: NOON - 1000, trust: 'owner', ...more },
})

async function unit(store: Store, ...batches: AgentRecord[][]) {
  const writer = agentsWriter({ source: 'test', clock: () => NOON, quietMs: 0 })
  for (const records of batches) await store.write((tx) => writer.apply(tx, records))
  await store.write((tx) => writer.finish(tx))
}

it('a message that another ledger tells with a further record is not known yet', async () => {
  const store = await tempStore()
  await unit(store, [session, message('p', 'user'), message('a', 'assistant', { recordId: 'r1', hash: 'h1', text: 'The first part.' })])
  const whole = message('a', 'assistant', {
    ...{ recordId: 'r1', hash: 'h1', text: 'The first part.\n\nThe second part.', replaces: 'fuller' },
    records: [
      { id: 'r1', hash: 'h1' },
      { id: 'r2', hash: 'h2' },
    ],
  })
  await unit(store, [session, whole])
  const row = await store.read.selectFrom('agent_messages').select('content').where('native_id', '=', 'a').executeTakeFirst()
  expect(row?.content).toBe('The first part.\n\nThe second part.')
})

it('what follows a prompt belongs to its turn, also where that turn was split off a batch before', async () => {
  const store = await tempStore()
  await unit(
    store,
    [session, message('p1', 'user'), message('p2', 'user', { parent: 'p1' })],
    [message('p3', 'user', { parent: 'p1' })], // a rewind: p2 and p3 are branches behind p1
    [message('a2', 'assistant', { parent: 'p2' })],
  )
  const rows = await store.read.selectFrom('agent_messages').select(['native_id', 'opener_id', 'turn_id']).execute()
  const of = new Map(rows.map((row) => [row.native_id, row]))
  expect(of.get('a2')?.opener_id).toBe(of.get('p2')?.opener_id)
  expect(of.get('a2')?.turn_id).toBe('test:s/a2')
  expect(of.get('p2')?.turn_id).toBe('test:s/a2')
  expect(of.get('p1')?.turn_id).toBe('test:s/p1')
})

it('messages, calls and compactions are counted where they are new, and as known where they are not', async () => {
  const store = await tempStore()
  const records: AgentRecord[] = [
    session,
    message('p', 'user'),
    message('a', 'assistant', { toolCalls: [{ id: 'call', name: 'Bash', params: '{}' }] }),
    { ...message('c', 'user'), role: 'system', kind: 'summary', text: 'What was said so far.' },
  ]
  const apply = () => store.write((tx) => agentsWriter({ source: 'test', clock: () => NOON, quietMs: 0 }).apply(tx, records))
  expect(await apply()).toEqual({ added: 5, repeated: 0 })
  expect(await apply()).toEqual({ added: 0, repeated: 3 })
  // A version that falsely claims to be fuller is a duplicate.
  const again = { ...message('p', 'user'), hash: 'another', text: 'text of', replaces: 'fuller' as const }
  const writer = agentsWriter({ source: 'test', clock: () => NOON, quietMs: 0 })
  expect(await store.write((tx) => writer.apply(tx, [session, again]))).toEqual({ added: 0, repeated: 1 })
})
