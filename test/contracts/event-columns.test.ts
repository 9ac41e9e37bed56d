/** The columns that the specifications give to events, threads and episodes, each with the sources that fill it: read from samples of every source. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OWNER, plantEventCanaries } from '../helpers/event-canaries.ts'
import { testHome } from '../helpers/home.ts'
import { claudeCodeSource } from '../helpers/sources/claude-code.ts'

const EVENT_SOURCES = ['aix-events', 'calendar', 'derived', 'gmail', 'imessage']
const THREAD_SOURCES = ['aix-events', 'calendar', 'gmail', 'imessage']
const DEFINITIONS = ['agent_session', 'agent_turn', 'aix_turn', 'calendar_event', 'gmail_thread', 'time_gap_90min']

/** Which sources, or definitions of episodes, write each column. One that none writes any more fails. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  events: {
    id: EVENT_SOURCES,
    timestamp: EVENT_SOURCES,
    channel: EVENT_SOURCES,
    content_types: EVENT_SOURCES,
    content: EVENT_SOURCES,
    direction: EVENT_SOURCES,
    thread_id: EVENT_SOURCES,
    // Meetings answer nothing, and a derived event says in its metadata what it comes from.
    reply_to: ['aix-events', 'gmail', 'imessage'],
    source_adapter: EVENT_SOURCES,
    source_id: EVENT_SOURCES,
    metadata_json: EVENT_SOURCES,
  },
  threads: {
    id: THREAD_SOURCES,
    channel: THREAD_SOURCES,
    name: THREAD_SOURCES,
    source_adapter: THREAD_SOURCES,
    source_id: THREAD_SOURCES,
    // A series belongs to its calendar.
    parent_thread_id: ['calendar'],
    created_at: THREAD_SOURCES,
    updated_at: THREAD_SOURCES,
  },
  episodes: {
    id: DEFINITIONS,
    definition_id: DEFINITIONS,
    channel: DEFINITIONS,
    thread_id: DEFINITIONS,
    start_time: DEFINITIONS,
    end_time: DEFINITIONS,
    event_count: DEFINITIONS,
    first_event_id: DEFINITIONS,
    last_event_id: DEFINITIONS,
    created_at: DEFINITIONS,
  },
  episode_events: { episode_id: DEFINITIONS, event_id: DEFINITIONS, position: DEFINITIONS },
}

/** Which values stand in a column, by source. */
const DIRECTIONS = [
  ['aix-events', 'received'],
  ['aix-events', 'sent'],
  ['calendar', 'observed'],
  ['calendar', 'received'],
  ['calendar', 'sent'],
  ['derived', 'observed'],
  ['gmail', 'observed'],
  ['gmail', 'received'],
  ['gmail', 'sent'],
  ['imessage', 'observed'],
  ['imessage', 'received'],
  ['imessage', 'sent'],
]
const KINDS = [
  ['gmail', '["text","file"]'],
  ['imessage', '["text","image"]'],
]

async function sampleMemory(): Promise<(sql: string) => Promise<unknown[][]>> {
  const { root, open } = testHome()
  const sources = join(root, 'sources')
  mkdirSync(sources)
  plantEventCanaries(sources)
  claudeCodeSource.write(join(sources, 'claude'), 'plan', [
    { prompt: 'Which database shall we take?', answer: 'We decided to use SQLite for the ledger.', at: Date.UTC(2026, 1, 2, 9) },
  ])
  const mnemonic = await open({ config: { owner: { emails: [OWNER] } }, clock: () => Date.UTC(2026, 2, 10) })
  await mnemonic.sync({ path: sources, adapters: ['contacts', 'imessage', 'gmail', 'calendar', 'claude-code'], embed: false })
  await mnemonic.sync({ adapters: ['calendar-series', 'aix-events'], embed: false })
  return async (sql) => (await mnemonic.sql(sql)).rows as unknown[][]
}

const BY: Readonly<Record<string, string>> = { events: 'source_adapter', threads: 'source_adapter', episodes: 'definition_id' }

it('every column of the specifications is written by the sources that have it', async () => {
  const rows = await sampleMemory()
  const filled: Record<string, Record<string, unknown[]>> = {}
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const of = BY[table]
    const from = of === undefined ? `${table} x join episodes e on e.id = x.episode_id` : `${table} x`
    const source = of === undefined ? 'e.definition_id' : `x.${of}`
    const written: Record<string, unknown[]> = {}
    for (const column of Object.keys(columns)) {
      const found = await rows(`select distinct ${source} from ${from} where x.${column} is not null and x.${column} <> '' order by 1`)
      written[column] = found.map(([name]) => name)
    }
    filled[table] = written
  }
  expect(filled).toEqual(COLUMNS)
  expect(Object.values(COLUMNS).every((columns) => Object.values(columns).every(({ length }) => length > 0))).toBe(true)

  expect(await rows('select distinct source_adapter, direction from events order by 1, 2')).toEqual(DIRECTIONS)
  const beside = `select distinct source_adapter, content_types from events where content_types <> '["text"]' order by 1, 2`
  expect(await rows(beside)).toEqual(KINDS)
  const parents = 'select parent_thread_id from threads where parent_thread_id is not null'
  expect(await rows(`select * from (${parents}) where parent_thread_id not in (select id from threads)`)).toEqual([])
  const answered = "select count(*) from events e join events o on o.id = e.reply_to where e.source_adapter = 'gmail'"
  expect(await rows(answered)).toEqual([[3]])
})
