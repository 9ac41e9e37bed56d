/** Ignored events never enter the ledger, and are counted. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runAdapter } from '../../test/helpers/run-adapters.ts'
import { vcalendar, vevent } from '../../test/helpers/sources/calendar.ts'
import { tempFolder, tempStore } from '../../test/helpers/store.ts'
import { type Config, configSchema } from '../config/schema.ts'
import type { EventPerson, EventRecord } from '../ledgers/event-record.ts'
import { calendar } from './events/calendar.ts'
import { eventIgnorer } from './ignore-events.ts'

function config(ignore: { channels?: string[]; contacts?: string[] }): Config {
  return configSchema.parse({ ignore, owner: { emails: ['me@example.com'], phones: ['+1 415 555 0000'] } }) as Config
}

async function ignores(ignore: { channels?: string[]; contacts?: string[] }) {
  const store = await tempStore()
  await store.write((tx) => tx.db.insertInto('contacts').values({ handle: '+14155550007', unit: '/a.vcf', name: 'Dr. Bob Roe' }).execute())
  return (await eventIgnorer(config(ignore), store.read))?.() ?? (() => false)
}

function event(channel: string, people: readonly EventPerson[], more: object = {}): EventRecord {
  return {
    ...{ type: 'event', id: 'x:1', sourceId: '1', timestamp: 0, channel, contentTypes: ['text'], content: 'x', direction: 'received' },
    ...{ trust: 'contact', agentId: 'main', people, ...more },
  }
}

const person = (role: EventPerson['role'], handle: string, name?: string): EventPerson => ({
  role,
  handle,
  ...(name === undefined ? {} : { name }),
})

it('mail and meetings with an ignored person are left out, whatever their part', async () => {
  const is = await ignores({ contacts: ['*@spam.example.com', 'Alice *', '(415) 555-2671'] })
  expect(is(event('gmail', [person('from', 'a@spam.example.com')]))).toBe(true)
  expect(is(event('gmail', [person('from', 'b@example.com'), person('cc', 'a@spam.example.com')]))).toBe(true)
  expect(is(event('calendar', [person('attendee', 'x@example.com', 'alice Smith')]))).toBe(true)
  expect(is(event('imessage', [person('from', '+14155552671')]))).toBe(true)
  expect(is(event('gmail', [person('from', 'b@example.com', 'Malice Smith')]))).toBe(false)
})

it('of chats what the person says, and all of a chat with nobody else', async () => {
  const is = await ignores({ contacts: ['+14155552671', '*Bob Roe'] })
  const mine = person('from', '+14155550000')
  expect(is(event('imessage', [mine, person('to', '+14155552671')], { direction: 'sent' }))).toBe(true)
  expect(is(event('imessage', [mine, person('member', '+14155552671'), person('member', '+14155559999')], { direction: 'sent' }))).toBe(
    false,
  )
  // Group messages address the owner too, whatever the group's size.
  expect(is(event('imessage', [person('from', '+14155559999'), person('member', '+14155552671'), person('member', '+14155550000')]))).toBe(
    false,
  )
  expect(is(event('imessage', [person('from', '+14155559999')]))).toBe(false)
  // Matched by the address book's name for the number.
  expect(is(event('imessage', [person('from', '+14155550007')]))).toBe(true)
})

it('channels are sources, chats, calendars and labels', async () => {
  const is = await ignores({ channels: ['Promotions', 'Private*', 'gemini-*'] })
  const thread = (id: string, name: string, parentThread?: string): EventRecord => ({
    ...{ type: 'thread', id, sourceId: id, channel: 'calendar', name, agentId: 'main', createdAt: 0, updatedAt: 0 },
    ...(parentThread === undefined ? {} : { parentThread }),
  })
  expect(is(thread('c', 'private things'))).toBe(true)
  expect(is(thread('s', 'Dentist', 'c'))).toBe(true)
  expect(is(event('calendar', [], { thread: 's' }))).toBe(true)
  expect(is(event('gmail', [], { metadata: { labels: ['Inbox', 'promotions'] } }))).toBe(true)
  expect(is(event('gemini-cli', []))).toBe(true)
  expect(is(event('gmail', [], { metadata: { labels: ['Inbox'] } }))).toBe(false)
})

it('nothing of it is stored, and the report says how many', async () => {
  const store = await tempStore()
  const path = join(tempFolder(), 'x.ics')
  const guest = ';CN=Bob:mailto:bob@example.com'
  writeFileSync(
    path,
    vcalendar(
      vevent({ UID: '1', DTSTART: '20260703', SUMMARY: 'kept' }),
      vevent({ UID: '2', DTSTART: '20260703', SUMMARY: 'hidden', ATTENDEE: guest }),
      vevent({ UID: '3', DTSTART: '20260703', RRULE: 'FREQ=DAILY', SUMMARY: 'hidden', ATTENDEE: guest }),
    ),
  )
  const owner = { isOwn: () => false, timezone: 'UTC' }
  const ignoreEvents = () => eventIgnorer(config({ contacts: ['bob@example.com'] }), store.read)
  const report = await runAdapter(store, calendar({ owner, agentId: 'main' }), { path, ignoreEvents })
  expect(report).toMatchObject({ records: 1, ignored: 2 })
  expect((await store.read.selectFrom('events').select('content').execute()).map(({ content }) => content)).toEqual(['kept'])
  expect(await store.read.selectFrom('series_parts').selectAll().execute()).toEqual([])
})
