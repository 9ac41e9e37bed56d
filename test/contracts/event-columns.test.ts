/** The columns that the specifications give to events, threads and episodes, each with the sources that fill it: one sync of all of them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Mnemonic } from '../../src/library/index.ts'
import { type TestHome, testHome } from '../helpers/home.ts'
import { openMessages } from '../helpers/messages-database.ts'
import { vcalendar, vevent } from '../helpers/sources/calendar.ts'

const OWNER = 'owner@example.com'
const SARAH = 'sarah@example.org'
const DAY = Date.UTC(2026, 1, 3, 9)

const ADAPTERS = ['imessage', 'gmail', 'calendar', 'aix-events', 'derived']
const SOURCES = ['imessage', 'gmail', 'calendar', 'aix-events']
const EVERY_DEFINITION = ['agent_session', 'agent_turn', 'aix_turn', 'calendar_event', 'gmail_thread', 'time_gap_90min']
/** What the owner states is an event of its own. */
const SEEDED = [...EVERY_DEFINITION, 'remembered']

/** By table and column: who fills it. */
const FILLED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  events: {
    id: ADAPTERS,
    timestamp: ADAPTERS,
    channel: ADAPTERS,
    content_types: ADAPTERS,
    content: ADAPTERS,
    direction: ADAPTERS,
    thread_id: ADAPTERS,
    // What is derived names its message in its metadata; meetings answer nothing.
    reply_to: ['imessage', 'gmail', 'aix-events'],
    source_adapter: ADAPTERS,
    source_id: ADAPTERS,
    metadata_json: ADAPTERS,
  },
  threads: {
    id: SOURCES,
    channel: SOURCES,
    name: SOURCES,
    source_adapter: SOURCES,
    source_id: SOURCES,
    // A series belongs to its calendar; chats, mail threads and sessions belong to nothing.
    parent_thread_id: ['calendar'],
    created_at: SOURCES,
    updated_at: SOURCES,
  },
  episodes: {
    id: EVERY_DEFINITION,
    definition_id: EVERY_DEFINITION,
    channel: EVERY_DEFINITION,
    thread_id: EVERY_DEFINITION,
    start_time: EVERY_DEFINITION,
    end_time: EVERY_DEFINITION,
    event_count: EVERY_DEFINITION,
    first_event_id: EVERY_DEFINITION,
    last_event_id: EVERY_DEFINITION,
    created_at: EVERY_DEFINITION,
    // No source has one, and rules write none.
    // By the analyses that every sync runs; of a turn the row of the turn has it.
    summary: ['agent_session', 'calendar_event', 'gmail_thread', 'time_gap_90min'],
  },
  episode_events: { episode_id: EVERY_DEFINITION, event_id: EVERY_DEFINITION, position: EVERY_DEFINITION },
  episode_definitions: {
    id: SEEDED,
    name: SEEDED,
    // Those of agents hold for every harness.
    channel: ['calendar_event', 'gmail_thread', 'remembered', 'time_gap_90min'],
    strategy: SEEDED,
    config_json: SEEDED,
    description: SEEDED,
    created_at: SEEDED,
    updated_at: SEEDED,
  },
}

/** Of each table, what its rows come from. */
const ORIGIN: Readonly<Record<string, string>> = {
  events: 'events t',
  threads: 'threads t',
  episodes: 'episodes t',
  episode_events: 'episode_events t join episodes e on e.id = t.episode_id',
  episode_definitions: 'episode_definitions t',
}
const BY: Readonly<Record<string, string>> = {
  events: 't.source_adapter',
  threads: 't.source_adapter',
  episodes: 't.definition_id',
  episode_events: 'e.definition_id',
  episode_definitions: 't.id',
}

function writeMessages(home: TestHome): string {
  const path = join(home.root, 'chat.db')
  const messages = openMessages(path)
  const [sarah, tom] = [messages.handle(SARAH), messages.handle('+14155552671')]
  const chat = messages.chat({ guid: 'iMessage;+;c', style: 43, display_name: 'Launch', group_id: 'g', service_name: 'iMessage' }, [
    sarah,
    tom,
  ])
  messages.message({ guid: 'm1', text: 'When is the launch?', chat, from: sarah, at: DAY })
  const photo = messages.message({ guid: 'm2', text: '\ufffc', chat, at: DAY + 1000, columns: { thread_originator_guid: 'm1' } })
  messages.attach(photo, { guid: 'a1', transfer_name: 'plan.png', mime_type: 'image/png', total_bytes: 3 })
  messages.message({ guid: 'm3', chat, from: tom, at: DAY + 2000, columns: { item_type: 2, group_title: 'Launch' } })
  messages.close()
  return path
}

function writeMail(home: TestHome): string {
  const path = join(home.root, 'mail.mbox')
  const mail = (id: string, from: string, to: string, more: readonly string[], text: string) =>
    [
      `From 17@xxx Tue Feb 03 09:00:00 +0000 2026\nX-GM-THRID: 17\nMessage-ID: <${id}@example.org>\nDate: Tue, 03 Feb 2026 09:00:00 +0000\nFrom: ${from}`,
      ...[`To: ${to}`, 'Subject: The launch', ...more, '', text, '', ''],
    ].join('\n')
  const parts = '--b\nContent-Type: text/plain\n\nSee the plan.\n--b\nContent-Type: application/pdf; name=plan.pdf\n\nxxx\n--b--'
  writeFileSync(
    path,
    mail('a', OWNER, SARAH, [], 'We decided to launch in May.') +
      mail('b', SARAH, OWNER, ['In-Reply-To: <a@example.org>', 'Content-Type: multipart/mixed; boundary=b'], parts) +
      mail('c', SARAH, 'tom@example.net', [], 'For your information.'),
  )
  return path
}

function writeCalendar(home: TestHome): string {
  const path = join(home.root, 'work.ics')
  const at = { DTSTART: '20260203T140000Z', SUMMARY: 'Launch review' }
  const events = [
    vevent({ UID: 'mine', ...at, ORGANIZER: `mailto:${OWNER}` }),
    vevent({ UID: 'hers', ...at, ORGANIZER: `mailto:${SARAH}` }),
    vevent({ UID: 'weekly', ...at, RRULE: 'FREQ=WEEKLY;COUNT=2' }),
  ]
  writeFileSync(path, vcalendar('X-WR-CALNAME:Work', ...events))
  return path
}

function writeSession(home: TestHome): void {
  const folder = join(home.root, 'workspace', 'sessions')
  mkdirSync(folder, { recursive: true })
  const line = (id: string, role: string, content: string, minute: number) =>
    `${JSON.stringify({ id, role, content, timestamp: new Date(DAY + minute * 60_000).toISOString() })}\n`
  writeFileSync(join(folder, 's.jsonl'), line('p1', 'user', 'Move the launch.', 0) + line('a1', 'assistant', 'It is moved to May.', 1))
}

async function synced(): Promise<Mnemonic> {
  const home = testHome()
  const on = (path: string) => ({ enabled: true, paths: [path] })
  const sources = { imessage: on(writeMessages(home)), gmail: on(writeMail(home)), calendar: on(writeCalendar(home)) }
  writeSession(home)
  const mnemonic = await home.open({ config: { sources, owner: { emails: [OWNER] } } })
  await mnemonic.sync({ embed: false })
  return mnemonic
}

it('every column is filled by the sources that have it, and by no other', async () => {
  const mnemonic = await synced()
  for (const [table, columns] of Object.entries(FILLED)) {
    for (const [column, sources] of Object.entries(columns)) {
      const value = `t.${column}`
      const { rows } = await mnemonic.sql(
        `select ${BY[table]}, count(nullif(${value}, '')) from ${ORIGIN[table]} group by 1 having count(nullif(${value}, '')) > 0 order by 1`,
      )
      expect([table, column, rows.map(([source]) => source)]).toEqual([table, column, [...sources].sort()])
    }
  }
})

it('directions and kinds of content are those of the source', async () => {
  const mnemonic = await synced()
  const values = async (column: string) => {
    const { rows } = await mnemonic.sql(`select distinct source_adapter, ${column} from events order by 1, 2`)
    return ADAPTERS.map((adapter) => [adapter, rows.filter(([source]) => source === adapter).map(([, value]) => value)])
  }
  expect(await values('direction')).toEqual([
    ['imessage', ['observed', 'received', 'sent']],
    ['gmail', ['observed', 'received', 'sent']],
    ['calendar', ['observed', 'received', 'sent']],
    ['aix-events', ['received', 'sent']],
    ['derived', ['observed']],
  ])
  expect(await values('content_types')).toEqual([
    ['imessage', ['["image"]', '["text"]']],
    ['gmail', ['["text","file"]', '["text"]']],
    ['calendar', ['["text"]']],
    ['aix-events', ['["text"]']],
    ['derived', ['["text"]']],
  ])
})
