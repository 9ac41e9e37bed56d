import type { KyselyPlugin } from 'kysely'
import { expect, it } from 'vitest'
import { runAdapter } from '../../../test/helpers/run-adapters.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { shortHash } from '../../core/hash.ts'
import { updateEpisodes } from '../../episodes/update.ts'
import { aixEvents } from '../../ingest/events/aix-events.ts'
import type { AgentRecord, MessageRecord } from '../../ledgers/agent-record.ts'
import { agentsWriter } from '../../ledgers/agents-writer.ts'
import type { EventRecord } from '../../ledgers/event-record.ts'
import { eventsWriter } from '../../ledgers/events-writer.ts'
import { findForgotten } from '../../ledgers/removal/find-forgotten.ts'
import { removeForgotten } from '../../ledgers/removal/remove-forgotten.ts'
import type { Store } from '../../store/store.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'
import { addTombstones } from '../../tombstones/write-tombstones.ts'
import { RULE_EXTRACTOR } from '../statements/by-rules.ts'
import type { Extractor } from '../statements/extractor.ts'
import { deriveEvents } from './derive-events.ts'

const HOUR = 3_600_000
const YESTERDAY = NOON - 24 * HOUR
const QUIET = { clock: () => NOON, quietMs: 2 * HOUR }

async function ingest(store: Store, records: AgentRecord[]): Promise<void> {
  const writer = agentsWriter({ source: 'codex', ...QUIET })
  await store.write(async (tx) => {
    await writer.apply(tx, records)
    await writer.finish(tx)
  })
}
const session = (more: object = {}): AgentRecord => ({ type: 'session', session: 's', firstHash: 's', ...more })
function say(id: string, role: 'user' | 'assistant', text: string, more: Partial<MessageRecord> = {}): MessageRecord {
  return {
    ...{ type: 'message', session: 's', id, hash: shortHash(16, role, text), role, kind: role === 'user' ? 'prompt' : 'reply', text },
    ...{ timestamp: YESTERDAY + Number(id.replace(/\D/g, '')) * 1000, trust: role === 'user' ? 'owner' : 'agent', ...more },
  }
}
const DECIDED = "ok.\nLet's use SQLite for the cache."

async function chat(store: Store, texts: readonly (readonly [text: string, at: number])[], more: object = {}): Promise<void> {
  const records: EventRecord[] = [
    { type: 'thread', id: 'imessage:t', sourceId: 't', channel: 'imessage', agentId: 'main', createdAt: 0, updatedAt: 0 },
    ...texts.map(
      ([content, timestamp], i): EventRecord => ({
        ...{ type: 'event', id: `imessage:m${i}`, sourceId: `m${i}`, timestamp, channel: 'imessage', contentTypes: ['text'], content },
        ...{ direction: 'received', thread: 'imessage:t', speaker: 'Sarah', trust: 'contact', agentId: 'main' },
        people: [{ role: 'from', handle: 'sarah@example.com', name: 'Sarah' }],
        ...more,
      }),
    ),
  ]
  await store.write((tx) => eventsWriter({ adapter: 'imessage' }).apply(tx, records))
}

const derive = (store: Store, now = NOON, extractor = RULE_EXTRACTOR) => deriveEvents(store, { clock: () => now, extractor })
const group = (store: Store) => updateEpisodes(store, { guard: async () => {}, clock: () => NOON })
const derived = (store: Store) =>
  store.read.selectFrom('events').selectAll().where('source_adapter', '=', 'derived').orderBy('id').execute()

async function forget(store: Store): Promise<void> {
  const tombstones = await tombstonesOf({ db: store.read })
  const rows = tombstones === undefined ? undefined : await findForgotten(store, tombstones)
  if (rows !== undefined) await store.write((tx) => removeForgotten(tx, rows, QUIET))
}

it('what is decided in a final turn becomes an event, known by message, span and type', async () => {
  const store = await tempStore()
  await ingest(store, [session(), say('p1', 'user', DECIDED), say('a2', 'assistant', 'I was wrong about the lock: the writer holds it.')])
  await runAdapter(store, aixEvents(store))
  await group(store)
  expect(await derive(store)).toEqual({ looked_at: 1, added: 2, removed: 0 })
  const [answer, asked] = await derived(store)
  const episode = await store.read.selectFrom('episodes').select('id').where('definition_id', '=', 'aix_turn').executeTakeFirstOrThrow()
  expect(asked).toMatchObject({
    ...{ id: 'derived:codex:s/p1:4-35:decision', source_id: 'codex:s/p1:4-35:decision', direction: 'observed', channel: 'codex' },
    ...{ content: "Let's use SQLite for the cache.", timestamp: YESTERDAY + 1000, trust: 'owner', thread_id: 'aix_session:codex:s' },
  })
  expect(JSON.parse(asked?.metadata_json ?? '')).toEqual({
    ...{ type: 'decision', episode: episode.id, message: 'codex:s/p1', native_message: 'p1', session_id: 'codex:s', turn_id: 'codex:s/a2' },
    ...{ span: [4, 35], rule: 'rules:lets', confidence: 0.85, subject: ['sqlite', 'cache'] },
  })
  expect(answer).toMatchObject({ trust: 'agent', content: 'I was wrong about the lock: the writer holds it.' })
})

it('a turn that is still open waits; running again changes no row', async () => {
  const store = await tempStore()
  const open = [
    session(),
    say('p1', 'user', DECIDED, { timestamp: NOON - 1000 }),
    say('a2', 'assistant', 'Done.', { timestamp: NOON - 900 }),
  ]
  await ingest(store, open)
  expect((await derive(store)).added).toBe(0)
  await ingest(store, [session(), say('p3', 'user', 'and now the tests', { timestamp: NOON - 500 })])
  expect(await derive(store)).toMatchObject({ looked_at: 1, added: 1 })
  const before = await derived(store)
  expect(await derive(store)).toEqual({ looked_at: 0, added: 0, removed: 0 })
  expect(await derive(store, NOON, { ...RULE_EXTRACTOR, version: 'another' })).toEqual({ looked_at: 1, added: 0, removed: 0 })
  expect(await derived(store)).toEqual(before)
})

it('another version of the extractor replaces what the one before found', async () => {
  const store = await tempStore()
  await ingest(store, [session(), say('p1', 'user', DECIDED), say('a2', 'assistant', 'Done.')])
  await derive(store)
  const model = {
    version: 'model-1',
    extract: async () => [{ message: 'codex:s/p1', type: 'preference_stated', start: 4, end: 35, rule: 'model', confidence: 0.5 } as const],
  }
  expect(await derive(store, NOON, model)).toEqual({ looked_at: 1, added: 1, removed: 1 })
  expect((await derived(store)).map(({ id }) => id)).toEqual(['derived:codex:s/p1:4-35:preference_stated'])
})

it('subagents, deleted sessions and what a schedule asks give none', async () => {
  const store = await tempStore()
  await ingest(store, [session({ isSubagent: true }), say('p1', 'user', DECIDED), say('a2', 'assistant', 'Done.')])
  await derive(store)
  expect(await derived(store)).toEqual([])
  const other = await tempStore()
  await ingest(other, [session(), say('p1', 'user', DECIDED, { trust: 'agent' }), say('a2', 'assistant', 'Done.')])
  await derive(other)
  expect(await derived(other)).toEqual([])
})

it('a chat is looked at when it is over: with its people, its trust and its episode', async () => {
  const store = await tempStore()
  await chat(store, [
    ['Hi!', NOON],
    ['We decided to move the launch to May.', NOON + 1000],
  ])
  await group(store)
  expect(await derive(store, NOON + HOUR)).toEqual({ looked_at: 0, added: 0, removed: 0 })
  expect(await derive(store, NOON + 2 * HOUR)).toEqual({ looked_at: 1, added: 1, removed: 0 })
  const [event] = await derived(store)
  expect(event).toMatchObject({
    id: 'derived:imessage:m1:0-37:decision',
    channel: 'imessage',
    thread_id: 'imessage:t',
    trust: 'contact',
    speaker: 'Sarah',
  })
  const [episode] = await store.read.selectFrom('episodes').select(['id', 'event_count']).execute()
  expect(JSON.parse(event?.metadata_json ?? '')).toMatchObject({ episode: episode?.id, message: 'imessage:m1', native_message: 'm1' })
  const people = await store.read
    .selectFrom('event_people')
    .selectAll()
    .where('event_id', '=', event?.id ?? '')
    .execute()
  expect(people).toEqual([{ event_id: event?.id, role: 'from', handle: 'sarah@example.com', name: 'Sarah' }])
  await group(store)
  expect(await store.read.selectFrom('episodes').select(['id', 'event_count']).execute()).toEqual([episode])
  expect(await derive(store, NOON + 2 * HOUR)).toEqual({ looked_at: 0, added: 0, removed: 0 })
})

it('quoted history of a mail is left out', async () => {
  const store = await tempStore()
  await chat(store, [['We decided to buy the boat.\nWe decided to sell the house.', YESTERDAY]], { ownWords: [[0, 27]] })
  await group(store)
  await derive(store)
  expect((await derived(store)).map(({ content }) => content)).toEqual(['We decided to buy the boat.'])
})

it('what is derived goes with the message that says it, in the same transaction, and comes back with what it says then', async () => {
  const store = await tempStore()
  await ingest(store, [session(), say('p1', 'user', DECIDED), say('a2', 'assistant', 'Done.')])
  await chat(store, [['We decided to move the launch to May.', YESTERDAY]])
  await group(store)
  await derive(store)
  expect(await derived(store)).toHaveLength(2)
  await store.write(async (tx) => {
    await tx.db.updateTable('agent_messages').set({ content: 'Never mind.' }).where('id', '=', 'codex:s/p1').execute()
    await tx.db.deleteFrom('events').where('id', '=', 'imessage:m0').execute()
    expect(await tx.db.selectFrom('events').select('id').where('source_adapter', '=', 'derived').execute()).toEqual([])
  })
  await group(store)
  await derive(store)
  expect(await derived(store)).toEqual([])
  expect(await store.read.selectFrom('derived_sources').selectAll().execute()).toEqual([])
})

it('one that was forgotten is not derived again; a message that is forgotten takes its own along', async () => {
  const store = await tempStore()
  const WAIT = 'We decided to wait for the permit.'
  await ingest(store, [
    session(),
    say('p1', 'user', DECIDED),
    say('a2', 'assistant', 'Done.'),
    say('p3', 'user', WAIT),
    say('a4', 'assistant', 'Fine.'),
  ])
  await derive(store)
  const [first] = await derived(store)
  const asked = { removedAt: NOON, reason: 'asked' }
  await store.write((tx) => addTombstones(tx, [{ kind: 'event', agentId: 'main', id: first?.id ?? '' }], asked))
  await forget(store)
  expect((await derived(store)).map(({ content }) => content)).toEqual([WAIT])
  await derive(store, NOON, { ...RULE_EXTRACTOR, version: 'another' })
  expect((await derived(store)).map(({ content }) => content)).toEqual([WAIT])
  await store.write((tx) => addTombstones(tx, [{ kind: 'message', agentId: 'main', id: 'codex:s/p3', text: WAIT }], asked))
  await forget(store)
  await derive(store, NOON, RULE_EXTRACTOR)
  expect(await derived(store)).toEqual([])
})

it('of all that waits only some is read before it is looked at; a run that is killed leaves the rest to the next', async () => {
  const store = await tempStore()
  const count = 200
  // Farther apart than a conversation lasts.
  await chat(
    store,
    Array.from({ length: count }, (_, n) => [`We decided to use SQLite for cache number ${n}.`, YESTERDAY - n * 3 * HOUR] as const),
  )
  await group(store)
  let rows = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      rows += result.rows.length
      return result
    },
  }
  let writes = 3
  const dying: Store = {
    ...store,
    read: store.read.withPlugin(plugin),
    write: (work) => (writes-- > 0 ? store.write(work) : Promise.reject(new Error('killed'))),
  }
  let readFirst: number | undefined
  const extractor: Extractor = {
    version: RULE_EXTRACTOR.version,
    extract(said, signal) {
      readFirst ??= rows
      return RULE_EXTRACTOR.extract(said, signal)
    },
  }
  await expect(derive(dying, NOON, extractor)).rejects.toThrow('killed')
  expect(readFirst).toBeLessThan(count)
  const before = (await derived(store)).length
  expect(before).toBeGreaterThan(0)
  const { looked_at, added } = await derive(store)
  expect(looked_at).toBe(count - 2 * 64)
  expect(before + added).toBe(count)
  expect(await derive(store)).toMatchObject({ looked_at: 0 })
})
