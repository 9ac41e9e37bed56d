/** Data in one file about another file's session: a title, a call that started it. */
import { expect, it } from 'vitest'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { type AgentRecord, type MessageRecord, TITLE_RANK } from './agent-record.ts'
import { agentsWriter } from './agents-writer.ts'

const session = (native: string, more: object = {}): AgentRecord => ({ type: 'session', session: native, firstHash: native, ...more })

const message = (native: string, id: string, more: Partial<MessageRecord> = {}): MessageRecord => ({
  ...{ type: 'message', session: native, id, recordId: id, hash: id, role: 'user', kind: 'prompt', text: `text of ${id}` },
  ...{ timestamp: NOON - 1000, trust: 'owner', ...more },
})

async function unit(store: Store, records: AgentRecord[]): Promise<void> {
  const writer = agentsWriter({ source: 'test', clock: () => NOON, quietMs: 0 })
  await store.write((tx) => writer.apply(tx, records))
  await store.write((tx) => writer.finish(tx))
}

it('a title that another file gives takes the place of a lower one, never of a higher one', async () => {
  const store = await tempStore()
  const title = async (native: string) =>
    (await store.read.selectFrom('agent_sessions').select('title').where('native_id', '=', native).executeTakeFirst())?.title
  await unit(store, [
    session('named'),
    message('named', 'm1'),
    { type: 'title', session: 'named', title: 'By its owner', rank: TITLE_RANK.custom },
  ])
  await unit(store, [session('plain'), message('plain', 'm2')])
  await unit(store, [
    { type: 'title', leaf: 'm1', title: 'By a summary', rank: TITLE_RANK.summary },
    { type: 'title', leaf: 'm2', title: 'By a summary', rank: TITLE_RANK.summary },
  ])
  expect(await title('named')).toBe('By its owner')
  expect(await title('plain')).toBe('By a summary')
  expect(await store.read.selectFrom('agent_pending_titles').selectAll().execute()).toEqual([])
})

it('a subagent belongs to the call of the parent that it names, whoever else speaks of it', async () => {
  const store = await tempStore()
  const starts = (native: string, call: string) => [
    session(native),
    message(native, `${native}-p`),
    message(native, `${native}-a`, { role: 'assistant', kind: 'reply', toolCalls: [{ id: call, name: 'Task', params: '{}' }] }),
    message(native, `${native}-r`, {
      ...{ role: 'tool', kind: 'tool_result', text: '' },
      toolResults: [{ callId: call, result: '"done"', isError: false, childSession: 'child' }],
    }),
  ]
  await unit(store, starts('another', 'a-call'))
  await unit(store, starts('parent', 'z-call'))
  await unit(store, [session('child', { isSubagent: true, parentSession: 'parent' }), message('child', 'c1')])
  const child = await store.read.selectFrom('agent_sessions').selectAll().where('native_id', '=', 'child').executeTakeFirst()
  expect(child).toMatchObject({
    parent_session_id: 'test:parent',
    tool_call_id: 'test:parent/z-call',
    parent_message_id: 'test:parent/parent-a',
  })
  const calls = await store.read.selectFrom('agent_tool_calls').select(['id', 'child_session_id']).orderBy('id').execute()
  expect(calls).toEqual([
    { id: 'test:another/a-call', child_session_id: null },
    { id: 'test:parent/z-call', child_session_id: 'test:child' },
  ])
})
