import { expect, it } from 'vitest'
import { runAdapter } from '../../../test/helpers/run-adapters.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { shortHash } from '../../core/hash.ts'
import type { AgentRecord, MessageRecord } from '../../ledgers/agent-record.ts'
import { agentsWriter } from '../../ledgers/agents-writer.ts'
import { endQuietSessions } from '../../ledgers/finish-session.ts'
import type { Store } from '../../store/store.ts'
import { aixEvents } from './aix-events.ts'

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

const derive = (store: Store) => runAdapter(store, aixEvents(store))
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
  expect(await derive(store)).toMatchObject({ found: 1, imported: 0, unchanged: 1, records: 0 })
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
  expect(await derive(store)).toMatchObject({ found: 1, unchanged: 1 })
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

it('sessions are its units: a second run reads none, and a late message touches one', async () => {
  const store = await tempStore()
  for (const name of ['s', 't', 'u']) {
    const ask = say(name, 'p1', 'user', `ask ${name}`)
    await ingest(store, [session(name), ask, say(name, 'a2', 'assistant', `reply ${name}`)])
  }
  expect(await derive(store)).toMatchObject({ found: 3, imported: 3, records: 6, bytes_read: 0 })
  const states = () => store.read.selectFrom('sync_state').selectAll().where('adapter', '=', 'aix-events').orderBy('path').execute()
  const before = await states()
  expect(before.map(({ path, status, session_id }) => [path, status, session_id])).toEqual([
    ['codex:s', 'done', null],
    ['codex:t', 'done', null],
    ['codex:u', 'done', null],
  ])
  expect(await derive(store)).toMatchObject({ found: 3, imported: 0, unchanged: 3, records: 0 })
  expect(await states()).toEqual(before)
  await ingest(store, [session('t'), say('t', 'p3', 'user', 'one more'), say('t', 'a4', 'assistant', 'and more')])
  expect(await derive(store)).toMatchObject({ found: 3, imported: 1, unchanged: 2, records: 2 })
  const moved = (await states()).filter((state, i) => JSON.stringify(state) !== JSON.stringify(before[i]))
  expect(moved.map(({ path }) => path)).toEqual(['codex:t'])
})

it('a session that is gone from the ledger is removed with its events, its thread and its state', async () => {
  const store = await tempStore()
  await ingest(store, [session('s'), say('s', 'p1', 'user', 'ask'), say('s', 'a2', 'assistant', 'reply')])
  await ingest(store, [session('t'), say('t', 'p1', 'user', 'stay')])
  await derive(store)
  await store.write((tx) => tx.db.updateTable('agent_sessions').set({ status: 'deleted' }).where('id', '=', 'codex:s').execute())
  expect(await derive(store)).toMatchObject({ found: 1, unchanged: 1 })
  expect((await events(store)).map(({ content }) => content)).toEqual(['stay'])
  expect(await store.read.selectFrom('threads').select('source_id').execute()).toEqual([{ source_id: 'codex:t' }])
  expect(await store.read.selectFrom('sync_state').select('path').execute()).toEqual([{ path: 'codex:t' }])
})

it('events of a database that kept one cursor for all sessions stay as they are', async () => {
  const store = await tempStore()
  await ingest(store, [session('s'), say('s', 'p1', 'user', 'ask'), say('s', 'a2', 'assistant', 'reply')])
  await ingest(store, [session('t'), say('t', 'p1', 'user', 'never derived')])
  await derive(store)
  const whole = await events(store)
  // State of an older version: a cursor, no sync state, and a newer session.
  await store.write(async ({ db }) => {
    await db.deleteFrom('sync_state').execute()
    await db.deleteFrom('events').where('thread_id', '=', 'aix_session:codex:t').execute()
    await db.insertInto('meta').values({ key: 'aix_events_cursor_v1', value: '1' }).execute()
  })
  expect(await derive(store)).toMatchObject({ found: 2, imported: 1, unchanged: 1, records: 1 })
  expect(await events(store)).toEqual(whole)
})
