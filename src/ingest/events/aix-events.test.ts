import { expect, it } from 'vitest'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { shortHash } from '../../core/hash.ts'
import type { AgentRecord, MessageRecord } from '../../ledgers/agent-record.ts'
import { agentsWriter } from '../../ledgers/agents-writer.ts'
import { endQuietSessions } from '../../ledgers/finish-session.ts'
import type { Store } from '../../store/store.ts'
import { deriveEvents } from './aix-events.ts'

const HOUR = 3_600_000
const LONG_AGO = NOON - 24 * HOUR

async function ingest(store: Store, records: AgentRecord[], clock = () => NOON): Promise<void> {
  const writer = agentsWriter({ source: 'codex', clock, quietMs: 2 * HOUR })
  await store.write(async (tx) => {
    await writer.apply(tx, records)
    await writer.finish(tx)
  })
}

const session = (native: string, more: object = {}): AgentRecord => ({ type: 'session', session: native, firstHash: native, ...more })

function say(native: string, id: string, role: MessageRecord['role'], text: string, more: Partial<MessageRecord> = {}): MessageRecord {
  const kind = { user: 'prompt', assistant: 'reply', tool: 'tool_result', system: 'meta' } as const
  const at = LONG_AGO + Number(id.replace(/\D/g, '')) * 1000
  return {
    type: 'message',
    session: native,
    id,
    hash: shortHash(16, role, text),
    role,
    kind: kind[role],
    text,
    timestamp: at,
    trust: 'owner',
    ...more,
  }
}

const derive = (store: Store) => deriveEvents({ store, clock: () => NOON, guard: async () => {} })
const events = (store: Store) => store.read.selectFrom('events').selectAll().orderBy('timestamp').orderBy('id').execute()

it('gives two events a turn, with the ids, directions, threads and channels of the specification', async () => {
  const store = await tempStore()
  await ingest(store, [
    session('s'),
    say('s', 'p1', 'user', 'first half'),
    say('s', 'p2', 'user', 'second half'),
    say('s', 'a3', 'assistant', 'let me look', { toolCalls: [{ id: 't', name: 'ls', params: '{}' }] }),
    say('s', 'r4', 'tool', 'a b c', { toolResults: [{ callId: 't', result: '"a b c"', isError: false }] }),
    say('s', 'x5', 'system', 'injected'),
    say('s', 'a6', 'assistant', 'it is done'),
  ])
  expect(await derive(store)).toMatchObject({ name: 'aix-events', found: 1, imported: 1, records: 2 })
  expect(await events(store)).toMatchObject([
    {
      ...{
        id: 'aix_turn_user:codex:s/a6',
        channel: 'codex',
        direction: 'sent',
        content: 'first half\n\nsecond half',
        timestamp: LONG_AGO + 1000,
      },
      ...{ thread_id: 'aix_session:codex:s', source_adapter: 'aix-events', source_id: 'codex:s/a6:user', content_types: '["text"]' },
    },
    {
      ...{ id: 'aix_turn_assistant:codex:s/a6', direction: 'received', content: 'it is done', reply_to: 'aix_turn_user:codex:s/a6' },
      ...{ source_id: 'codex:s/a6:assistant', timestamp: LONG_AGO + 6000 },
    },
  ])
  const threads = await store.read.selectFrom('threads').selectAll().execute()
  expect(threads).toMatchObject([{ id: 'aix_session:codex:s', channel: 'codex', source_id: 'codex:s', name: 'first half' }])
})

it('a turn without a question or without an answer gives one event', async () => {
  const store = await tempStore()
  await ingest(store, [session('s'), say('s', 'a1', 'assistant', 'hello'), say('s', 'p2', 'user', 'anybody there?')])
  await derive(store)
  expect((await events(store)).map(({ id }) => id)).toEqual(['aix_turn_assistant:codex:s/a1', 'aix_turn_user:codex:s/p2'])
})

it('subagents and superseded branches give none, and what is superseded later loses its events', async () => {
  const store = await tempStore()
  await ingest(store, [
    session('s'),
    say('s', 'p1', 'user', 'one'),
    say('s', 'a2', 'assistant', 'two'),
    say('s', 'p3', 'user', 'three'),
    say('s', 'a4', 'assistant', 'four'),
    session('child', { isSubagent: true, parentSession: 's' }),
    say('child', 'c1', 'user', 'task'),
    say('child', 'c2', 'assistant', 'done'),
  ])
  await derive(store)
  expect((await events(store)).map(({ content }) => content)).toEqual(['one', 'two', 'three', 'four'])
  await ingest(store, [say('s', 'p5', 'user', 'other three', { parent: 'a2' }), say('s', 'a6', 'assistant', 'other four')])
  expect(await derive(store)).toMatchObject({ imported: 1, records: 2 })
  expect((await events(store)).map(({ content }) => content)).toEqual(['one', 'two', 'other three', 'other four'])
})

it('an open turn waits until it is final, and a second run finds nothing to do', async () => {
  const store = await tempStore()
  const soon = () => LONG_AGO + 60_000
  await ingest(store, [session('s'), say('s', 'p1', 'user', 'one'), say('s', 'a2', 'assistant', 'two')], soon)
  await derive(store)
  expect(await events(store)).toEqual([])
  await store.write((tx) => endQuietSessions(tx, { clock: () => NOON, quietMs: 2 * HOUR }))
  expect(await derive(store)).toMatchObject({ found: 1, imported: 1, records: 2 })
  expect(await derive(store)).toMatchObject({ found: 0, imported: 0, records: 0 })
})

it('an answer that was rewritten in place is told again', async () => {
  const store = await tempStore()
  const answer = (text: string) => say('s', 'a2', 'assistant', text, { replaces: true })
  await ingest(store, [session('s'), say('s', 'p1', 'user', 'one'), answer('tw')])
  await derive(store)
  await ingest(store, [session('s'), answer('two')])
  await derive(store)
  expect((await events(store)).map(({ content }) => content)).toEqual(['one', 'two'])
})

it('a title that comes after the events is that of their thread', async () => {
  const store = await tempStore()
  await ingest(store, [session('s'), say('s', 'p1', 'user', 'ask'), say('s', 'a2', 'assistant', 'reply')])
  await derive(store)
  await ingest(store, [session('s'), { type: 'title', session: 's', title: 'The harbour plan', rank: 3 }])
  expect(await derive(store)).toMatchObject({ found: 1, unchanged: 1, records: 0 })
  expect(await store.read.selectFrom('threads').select('name').execute()).toEqual([{ name: 'The harbour plan' }])
})

it('a session in which nobody said a word is looked at once', async () => {
  const store = await tempStore()
  await ingest(store, [session('s'), say('s', 'p1', 'user', 'the hourly check', { trust: 'agent' })])
  expect(await derive(store)).toMatchObject({ found: 1, unchanged: 1 })
  expect(await derive(store)).toMatchObject({ found: 0 })
})

it('an answer that is rewritten in place is rewritten in its event', async () => {
  const store = await tempStore()
  const reply = (text: string) => say('s', 'a2', 'assistant', text, { replaces: true })
  await ingest(store, [session('s'), say('s', 'p1', 'user', 'ask'), reply('half of')])
  await derive(store)
  await ingest(store, [session('s'), reply('half of the answer')])
  await derive(store)
  expect((await events(store)).map(({ content }) => content)).toEqual(['ask', 'half of the answer'])
})
