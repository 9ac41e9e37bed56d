import { describe, expect, it } from 'vitest'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { shortHash } from '../../core/hash.ts'
import type { Store } from '../../store/store.ts'
import { addTombstones } from '../../tombstones/write-tombstones.ts'
import type { AgentRecord, MessageRecord } from '../agent-record.ts'
import { agentsWriter } from '../agents-writer.ts'
import { fieldId, recordId, titleId } from '../forgotten-records.ts'
import { removeSession } from './remove-forgotten.ts'
import { removeMessages } from './remove-messages.ts'

const QUIET = { clock: () => NOON, quietMs: 7_200_000 }
const SECRET = 'The launch code of the rocket is zebra-4711, tell nobody about it.'

function say(id: string, role: MessageRecord['role'], text: string, more: Partial<MessageRecord> = {}): MessageRecord {
  const kind = { user: 'prompt', assistant: 'reply', tool: 'tool_result', system: 'meta' } as const
  return {
    ...{ type: 'message', session: 's', id, hash: shortHash(16, role, text), role, kind: kind[role], text, trust: 'owner' },
    timestamp: NOON - 86_400_000 + Number(id.replace(/\D/g, '')) * 1000,
    ...more,
  }
}

const SESSION: AgentRecord = { type: 'session', session: 's', firstHash: 's', project: '/home/dev/atlas' }
const CONVERSATION = [
  say('p1', 'user', 'one'),
  say('a2', 'assistant', 'two', { toolCalls: [{ id: 't', name: 'ls', params: '{}' }] }),
  say('r3', 'tool', '', { toolResults: [{ callId: 't', result: '"files"', isError: false }] }),
  say('a4', 'assistant', 'four'),
  say('p5', 'user', SECRET),
  say('a6', 'assistant', 'six'),
  say('p7', 'user', 'seven'),
  say('a8', 'assistant', 'eight'),
]

async function ingest(store: Store, records: AgentRecord[]): Promise<void> {
  const writer = agentsWriter({ source: 'test', ...QUIET })
  await store.write(async (tx) => {
    await writer.apply(tx, records)
    await writer.finish(tx)
  })
}

const remove = (store: Store, ...ids: string[]) =>
  store.write((tx) =>
    removeMessages(
      tx,
      ids.map((id) => `test:s/${id}`),
      QUIET,
    ),
  )

async function ledger(store: Store) {
  const messages = await store.read.selectFrom('agent_messages').selectAll().orderBy('sequence').execute()
  const turns = await store.read.selectFrom('agent_turns').selectAll().orderBy('sequence').execute()
  const session = await store.read.selectFrom('agent_sessions').selectAll().executeTakeFirst()
  return { messages, turns, session }
}

describe('a message that is taken out', () => {
  it('leaves a whole conversation behind', async () => {
    const store = await tempStore()
    await ingest(store, [SESSION, ...CONVERSATION])
    await remove(store, 'p5')
    const { messages, turns, session } = await ledger(store)
    expect(messages.map(({ content }) => content)).toEqual(['one', 'two', '', 'four', 'six', 'seven', 'eight'])
    expect(messages.find(({ id }) => id === 'test:s/a6')?.parent_id).toBe('test:s/a4')
    expect(turns).toMatchObject([
      { id: 'test:s/a4', status: 'final' },
      { id: 'test:s/a6', query_message_ids: '[]', opener_id: 'test:s/a6', message_count: 1 },
      { id: 'test:s/a8', parent_turn_id: 'test:s/a6' },
    ])
    expect(session).toMatchObject({ message_count: 7, head_turn_id: 'test:s/a8' })
    for (const { turn_id, opener_id } of messages) {
      expect(turns.some((turn) => turn.id === turn_id && turn.opener_id === opener_id)).toBe(true)
    }
    const records = await store.read.selectFrom('agent_records').select('message_id').execute()
    expect(records.some(({ message_id }) => message_id === 'test:s/p5')).toBe(false)
  })

  it('takes its calls along, and a whole turn closes up', async () => {
    const store = await tempStore()
    await ingest(store, [SESSION, ...CONVERSATION])
    await remove(store, 'p5', 'a6', 'a2')
    const { turns } = await ledger(store)
    expect(turns.map(({ id, parent_turn_id }) => [id, parent_turn_id])).toEqual([
      ['test:s/a4', null],
      ['test:s/a8', 'test:s/a4'],
    ])
    expect(turns[0]?.tool_call_count).toBe(0)
    expect(await store.read.selectFrom('agent_tool_calls').selectAll().execute()).toEqual([])
  })

  it('takes along the title that was made of it', async () => {
    const store = await tempStore()
    await ingest(store, [SESSION, ...CONVERSATION])
    await remove(store, 'p1')
    expect((await ledger(store)).session?.title).toBe(SECRET)
    await remove(store, 'p5')
    expect((await ledger(store)).session?.title).toBe('seven')
  })

  it('comes back with the source without a tombstone, and not with one', async () => {
    const store = await tempStore()
    await ingest(store, [SESSION, ...CONVERSATION])
    await remove(store, 'p5')
    await ingest(store, [SESSION, ...CONVERSATION])
    expect((await ledger(store)).messages.some(({ content }) => content === SECRET)).toBe(true)
    await remove(store, 'p5')
    await store.write((tx) =>
      addTombstones(tx, [{ kind: 'message', agentId: 'main', id: 'test:s/p5', text: SECRET }], { removedAt: NOON, reason: 'asked' }),
    )
    await ingest(store, [SESSION, ...CONVERSATION, say('a9', 'assistant', 'nine', { parent: 'p5' })])
    const { messages } = await ledger(store)
    expect(messages.some(({ content }) => content === SECRET)).toBe(false)
    expect(messages.map(({ content }) => content)).toContain('nine')
  })
})

describe('a fence', () => {
  const addTombstonesFor = (store: Store, ...forgotten: Parameters<typeof addTombstones>[1]) =>
    store.write((tx) => addTombstones(tx, forgotten, { removedAt: NOON, reason: 'asked' }))

  it('knows a text wherever it comes from, and a record under whatever session it is told again', async () => {
    const store = await tempStore()
    const seven = recordId('test', 'p7', shortHash(16, 'user', 'seven'))
    await addTombstonesFor(store, { kind: 'text', agentId: 'main', text: SECRET }, { kind: 'message', agentId: 'main', id: seven })
    await ingest(store, [{ ...SESSION, session: 'fork' }, ...CONVERSATION.map((record) => ({ ...record, session: 'fork' }))])
    const { messages } = await ledger(store)
    expect(messages.map(({ content }) => content)).toEqual(['one', 'two', '', 'four', 'six', 'eight'])
  })

  it('lets in a record of the same name that says something else: some sources count anew in every session', async () => {
    const store = await tempStore()
    await addTombstonesFor(store, { kind: 'message', agentId: 'main', id: recordId('test', 'p7', shortHash(16, 'user', 'seven')) })
    await ingest(store, [{ ...SESSION, session: 'other' }, say('p7', 'user', 'another seventh', { session: 'other' })])
    expect((await ledger(store)).messages.map(({ content }) => content)).toEqual(['another seventh'])
  })

  it('short words that everybody says have a tombstone of their id alone', async () => {
    const store = await tempStore()
    await addTombstonesFor(store, { kind: 'message', agentId: 'main', id: 'test:other/p1', text: 'one' })
    await ingest(store, [SESSION, ...CONVERSATION])
    expect((await ledger(store)).messages).toHaveLength(CONVERSATION.length)
  })

  it('keeps out single fields, titles and what tools gave', async () => {
    const store = await tempStore()
    await addTombstonesFor(
      store,
      { kind: 'value', agentId: 'main', id: '/home/dev/atlas' },
      { kind: 'field', agentId: 'main', id: fieldId('test:s', 'raw_json') },
      { kind: 'field', agentId: 'main', id: fieldId('test:s', 'task_description') },
      { kind: 'title', agentId: 'main', id: titleId('test:s', 'Rocket') },
      { kind: 'call-result', agentId: 'main', id: 'test:s/t' },
    )
    await ingest(store, [
      { ...SESSION, raw: { a: 1 }, taskDescription: 'Build a rocket' } as AgentRecord,
      ...CONVERSATION,
      { type: 'title', session: 's', title: 'Rocket', rank: 4 },
    ])
    const { session } = await ledger(store)
    expect(session).toMatchObject({ project: null, title: SECRET, source_title: null, raw_json: null, task_description: null })
    expect(await store.read.selectFrom('agent_tool_calls').select('result_json').execute()).toEqual([{ result_json: '""' }])
  })

  it('a forgotten session stays out, whatever the source says of it', async () => {
    const store = await tempStore()
    await ingest(store, [SESSION, ...CONVERSATION])
    await store.write((tx) => removeSession(tx, 'test:s'))
    expect(await ledger(store)).toEqual({ messages: [], turns: [], session: undefined })
    await addTombstonesFor(store, { kind: 'session', agentId: 'main', id: 'test:s' })
    await ingest(store, [SESSION, ...CONVERSATION])
    expect(await ledger(store)).toEqual({ messages: [], turns: [], session: undefined })
  })

  it('says nothing of what it keeps out', async () => {
    const store = await tempStore()
    await addTombstonesFor(store, { kind: 'message', agentId: 'main', id: 'test:s/p5', text: SECRET })
    const [row] = await store.read.selectFrom('tombstones').selectAll().execute()
    expect(JSON.stringify(row)).not.toMatch(/zebra|test:s/)
  })
})
