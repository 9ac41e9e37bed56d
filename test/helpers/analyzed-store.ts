/** A store with two agent sessions and a chat, grouped into closed episodes. */
import { shortHash } from '../../src/core/hash.ts'
import { updateEpisodes } from '../../src/episodes/update.ts'
import { aixEvents } from '../../src/ingest/events/aix-events.ts'
import type { AgentRecord, MessageRecord } from '../../src/ledgers/agent-record.ts'
import { agentsWriter } from '../../src/ledgers/agents-writer.ts'
import type { EventRecord } from '../../src/ledgers/event-record.ts'
import { eventsWriter } from '../../src/ledgers/events-writer.ts'
import type { Store } from '../../src/store/store.ts'
import { runAdapter } from './run-adapters.ts'
import { NOON, tempStore } from './store.ts'

const HOUR = 3_600_000
const QUIET = { clock: () => NOON, quietMs: 2 * HOUR }

export const grouped = (store: Store) => updateEpisodes(store, { guard: async () => {}, clock: () => NOON })

/** Question and answer per turn, oldest first. */
export async function talk(
  store: Store,
  name: string,
  turns: readonly (readonly [asked: string, answered: string])[],
  { agent = 'main', daysAgo = 1 }: { agent?: string; daysAgo?: number } = {},
): Promise<void> {
  const start = NOON - daysAgo * 24 * HOUR
  const say = (at: number, role: 'user' | 'assistant', text: string): MessageRecord => ({
    ...{ type: 'message', session: name, id: `${name}-m${at}`, hash: shortHash(16, role, text), role, text },
    ...{ kind: role === 'user' ? 'prompt' : 'reply', timestamp: start + at * 60_000, trust: role === 'user' ? 'owner' : 'agent' },
  })
  const records: AgentRecord[] = [
    { type: 'session', session: name, firstHash: name, agentId: agent },
    ...turns.flatMap(([asked, answered], at) => [say(2 * at, 'user', asked), say(2 * at + 1, 'assistant', answered)]),
  ]
  const writer = agentsWriter({ source: 'codex', ...QUIET })
  await store.write(async (tx) => {
    await writer.apply(tx, records)
    await writer.finish(tx)
  })
}

export async function chat(store: Store, texts: readonly string[], daysAgo = 2): Promise<void> {
  const start = NOON - daysAgo * 24 * HOUR
  const records: EventRecord[] = [
    { type: 'thread', id: 'imessage:t', sourceId: 't', channel: 'imessage', agentId: 'main', createdAt: 0, updatedAt: 0 },
    ...texts.map(
      (content, i): EventRecord => ({
        ...{
          type: 'event',
          id: `imessage:m${i}`,
          sourceId: `m${i}`,
          timestamp: start + i * 1000,
          channel: 'imessage',
          contentTypes: ['text'],
        },
        ...{ content, direction: 'received', thread: 'imessage:t', speaker: 'Sarah', trust: 'contact', agentId: 'main' },
        people: [
          { role: 'from', handle: 'sarah@example.com', name: 'Sarah' },
          { role: 'to', handle: 'owner@example.com', name: null },
        ],
      }),
    ),
  ]
  await store.write((tx) => eventsWriter({ adapter: 'imessage' }).apply(tx, records))
}

export const DECIDED = "Let's use SQLite for the cache."

export async function analyzedStore(): Promise<Store> {
  const store = await tempStore()
  await talk(store, 's', [
    ['Why is the parser slow?', 'The parser reads every file twice.'],
    [DECIDED, 'Done: the cache is in SQLite.'],
  ])
  await talk(store, 'old', [['Name the release branch.', 'It is called release-2.']], { daysAgo: 30 })
  await chat(store, ['Dinner on Friday?', 'We decided to move the launch to May.'])
  await runAdapter(store, aixEvents(store))
  await grouped(store)
  return store
}
