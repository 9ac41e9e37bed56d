/** Times, people and versions of every kind of entry. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runAdapter } from '../../../test/helpers/run-adapters.ts'
import { vcalendar, vevent } from '../../../test/helpers/sources/calendar.ts'
import { tempFolder, tempStore } from '../../../test/helpers/store.ts'
import type { Store } from '../../store/store.ts'
import { calendarThreadId } from './calendar/record.ts'
import { calendar } from './calendar.ts'

const owner = { isOwn: (handle: string) => handle === 'me@example.com', timezone: 'Europe/Berlin' }

async function read(store: Store, bytes: Buffer | string, name = 'work.ics') {
  const path = join(tempFolder(), name)
  writeFileSync(path, bytes)
  const report = await runAdapter(store, calendar({ owner, agentId: 'main' }), { path })
  const rows = await store.read.selectFrom('events').selectAll().orderBy('id').execute()
  const events = rows.map(({ metadata_json, timestamp, ...row }) => ({
    ...{ ...row, at: new Date(timestamp).toISOString() },
    metadata: JSON.parse(metadata_json ?? '{}') as Record<string, unknown>,
  }))
  return { report, events, one: events[0] }
}

it.each([
  ['UTC', 'DTSTART:20260703T100000Z', '2026-07-03T10:00:00.000Z', 'UTC', '2026-07-03T10:00:00'],
  [
    'a zone of the IANA',
    'DTSTART;TZID=America/New_York:20260703T100000',
    '2026-07-03T14:00:00.000Z',
    'America/New_York',
    '2026-07-03T10:00:00',
  ],
  [
    'a zone of Windows',
    'DTSTART;TZID="W. Europe Standard Time":20260103T100000',
    '2026-01-03T09:00:00.000Z',
    'Europe/Berlin',
    '2026-01-03T10:00:00',
  ],
  [
    'a path',
    'DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Lisbon:20260703T100000',
    '2026-07-03T09:00:00.000Z',
    'Europe/Lisbon',
    '2026-07-03T10:00:00',
  ],
  [
    'a description',
    'DTSTART;TZID="(UTC-05:00) Eastern Time (US & Canada)":20260703T100000',
    '2026-07-03T14:00:00.000Z',
    'America/New_York',
    '2026-07-03T10:00:00',
  ],
  [
    'cities',
    'DTSTART;TZID="(GMT+10:00) Canberra, Melbourne, Sydney":20260103T100000',
    '2026-01-02T23:00:00.000Z',
    'Australia/Melbourne',
    '2026-01-03T10:00:00',
  ],
  ['an offset', 'DTSTART;TZID=UTC+02:20260703T100000', '2026-07-03T08:00:00.000Z', 'UTC+02', '2026-07-03T10:00:00'],
  ['no zone', 'DTSTART:20260703T100000', '2026-07-03T08:00:00.000Z', 'Europe/Berlin', '2026-07-03T10:00:00'],
  [
    'an hour that no clock shows',
    'DTSTART;TZID=Europe/Berlin:20260329T023000',
    '2026-03-29T01:30:00.000Z',
    'Europe/Berlin',
    '2026-03-29T03:30:00',
  ],
  [
    'an hour that clocks show twice',
    'DTSTART;TZID=Europe/Berlin:20261025T023000',
    '2026-10-25T00:30:00.000Z',
    'Europe/Berlin',
    '2026-10-25T02:30:00',
  ],
])('%s', async (_, line, at, zone, local) => {
  const { one, report } = await read(
    await tempStore(),
    vcalendar('BEGIN:VEVENT', 'UID:a', line, 'DURATION:PT90M', 'SUMMARY:Talk', 'END:VEVENT'),
  )
  expect(report).toMatchObject({ records: 1, skipped_lines: 0, warnings: [] })
  expect(one).toMatchObject({ at, metadata: { all_day: false, zone, start_local: local, end: Date.parse(at) + 90 * 60_000 } })
})

it('times without a zone are where the calendar is, before where the owner is', async () => {
  const { one } = await read(await tempStore(), vcalendar('X-WR-TIMEZONE:Asia/Tokyo', vevent({ UID: 'a', DTSTART: '20260703T100000' })))
  expect(one).toMatchObject({ at: '2026-07-03T01:00:00.000Z', metadata: { zone: 'Asia/Tokyo', floating: true } })
})

it('a zone of the calendar’s own is read by its own rules, also where it comes last', async () => {
  const zone = [
    'BEGIN:VTIMEZONE\nTZID:Our Office',
    'BEGIN:STANDARD\nDTSTART:19701025T030000\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\nTZOFFSETFROM:+0530\nTZOFFSETTO:+0430\nEND:STANDARD',
    'BEGIN:DAYLIGHT\nDTSTART:19700329T020000\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\nTZOFFSETFROM:+0430\nTZOFFSETTO:+0530\nEND:DAYLIGHT',
    'END:VTIMEZONE',
  ]
  const events = [
    vevent({ UID: 'summer', DTSTART: ';TZID=Our Office:20260703T100000' }),
    vevent({ UID: 'winter', DTSTART: ';TZID=Our Office:20260103T100000' }),
  ]
  for (const lines of [
    [...zone, ...events],
    [...events, ...zone],
  ]) {
    const { events: read_, report } = await read(await tempStore(), vcalendar(...lines))
    expect(report.warnings).toEqual([])
    expect(read_.map(({ at }) => at)).toEqual(['2026-07-03T04:30:00.000Z', '2026-01-03T05:30:00.000Z'])
  }
})

it('a zone of the calendar’s own skips and repeats hours as one of the IANA with the same rules does, and has an offset before its first change', async () => {
  const change = (kind: string, at: string, rule: string, from: string, to: string) =>
    `BEGIN:${kind}\nDTSTART:${at}\nTZOFFSETFROM:${from}\nTZOFFSETTO:${to}\nRRULE:FREQ=YEARLY;${rule}\nEND:${kind}`
  const zones = {
    'Office NY': [
      change('STANDARD', '20071104T020000', 'BYMONTH=11;BYDAY=1SU', '-0400', '-0500'),
      change('DAYLIGHT', '20070311T020000', 'BYMONTH=3;BYDAY=2SU', '-0500', '-0400'),
    ],
    'Office Sydney': [
      change('STANDARD', '20080406T030000', 'BYMONTH=4;BYDAY=1SU', '+1100', '+1000'),
      change('DAYLIGHT', '20081005T020000', 'BYMONTH=10;BYDAY=1SU', '+1000', '+1100'),
    ],
  }
  const hours = ['0030', '0130', '0200', '0230', '0300', '0330']
  const days = ['20260308', '20261101', '20260405', '20261004', '20060115']
  const at = (name: string, zone: string) =>
    days.flatMap((day) => hours.map((hour) => vevent({ UID: `${name}${day}${hour}`, DTSTART: `;TZID=${zone}:${day}T${hour}00` })))
  const defined = Object.entries(zones).map(([tzid, changes]) => `BEGIN:VTIMEZONE\nTZID:${tzid}\n${changes.join('\n')}\nEND:VTIMEZONE`)
  const events = [
    ...[...at('a', 'Office NY'), ...at('b', 'America/New_York').filter((event) => !event.includes('20060115'))],
    ...[...at('c', 'Office Sydney'), ...at('d', 'Australia/Sydney')],
  ]
  const { events: stored } = await read(await tempStore(), vcalendar(...defined, ...events))
  const times = (name: string) =>
    stored.filter(({ source_id }) => source_id.startsWith(name) && !source_id.includes('20060115')).map((event) => event.at)
  expect(times('a')).toHaveLength(24)
  expect(times('a')).toEqual(times('b'))
  expect(times('c')).toEqual(times('d'))
  expect(stored.find(({ source_id }) => source_id === 'a200601150030')?.at).toBe('2006-01-15T05:30:00.000Z')
})

it('a zone that nobody knows is said, and its times are read as the owner’s', async () => {
  const { one, report } = await read(
    await tempStore(),
    vcalendar(vevent({ UID: 'a', DTSTART: ';TZID=Customized Time Zone 1:20260703T100000' })),
  )
  expect(one?.at).toBe('2026-07-03T08:00:00.000Z')
  expect(report.warnings).toEqual([expect.stringContaining('nobody knows the time zone "Customized Time Zone 1"')])
})

it.each([
  ['one day without an end', ['DTSTART;VALUE=DATE:20260703'], '2026-07-03', '2026-07-04'],
  ['three days', ['DTSTART;VALUE=DATE:20260703', 'DTEND;VALUE=DATE:20260706'], '2026-07-03', '2026-07-06'],
  ['the same day as its end', ['DTSTART;VALUE=DATE:20260703', 'DTEND;VALUE=DATE:20260703'], '2026-07-03', '2026-07-04'],
  ['by its length', ['DTSTART;VALUE=DATE:20260703', 'DURATION:P2D'], '2026-07-03', '2026-07-05'],
  ['a day that is not called one', ['DTSTART:20260703'], '2026-07-03', '2026-07-04'],
])('days stay days: %s', async (_, lines, start_date, end_date) => {
  const { one } = await read(await tempStore(), vcalendar('BEGIN:VEVENT', 'UID:a', ...lines, 'END:VEVENT'))
  expect(one).toMatchObject({ at: '2026-07-02T22:00:00.000Z', metadata: { all_day: true, start_date, end_date } })
  expect(one?.metadata).not.toHaveProperty('start_local')
})

it('who organizes decides direction and trust; who answered how is kept', async () => {
  const store = await tempStore()
  const guests = [
    'ATTENDEE;CN="Chen, Sarah";PARTSTAT=DECLINED:MAILTO:Sarah@Example.com',
    'ATTENDEE;CUTYPE=ROOM;CN=Room 4:mailto:room4@example.com',
  ]
  const me = (answer: string) => `ATTENDEE;PARTSTAT=${answer};CN=me@example.com:mailto:me@example.com`
  const event = (uid: string, ...lines: string[]) =>
    ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTART:20260703T100000Z', ...lines, 'END:VEVENT'].join('\n')
  const { events } = await read(
    store,
    vcalendar(
      event('1-own', 'ORGANIZER:mailto:ME@example.com', ...guests),
      event('2-accepted', 'ORGANIZER;CN=Bob:mailto:bob@example.com', me('ACCEPTED')),
      event('3-stranger', 'ORGANIZER;CN=Bob:mailto:bob@example.com', me('NEEDS-ACTION')),
      event('4-nobody'),
    ),
  )
  expect(events.map(({ source_id, direction, trust, speaker }) => [source_id, direction, trust, speaker])).toEqual([
    ['1-own', 'sent', 'owner', 'me@example.com'],
    ['2-accepted', 'received', 'contact', 'Bob'],
    ['3-stranger', 'received', 'untrusted', 'Bob'],
    ['4-nobody', 'observed', 'untrusted', null],
  ])
  expect(events[0]?.metadata).toMatchObject({ answers: { 'sarah@example.com': 'declined' }, resources: ['Room 4'] })
  expect(events[1]?.metadata).toMatchObject({ answer: 'accepted' })
  const people = await store.read.selectFrom('event_people').selectAll().where('event_id', '=', 'calendar:1-own').orderBy('role').execute()
  expect(people.map(({ role, handle, name }) => [role, handle, name])).toEqual([
    ['attendee', 'sarah@example.com', 'Chen, Sarah'],
    ['organizer', 'me@example.com', null],
  ])
})

it('a calendar that is called by the owner’s address is the owner’s own', async () => {
  const { one } = await read(await tempStore(), vcalendar('X-WR-CALNAME:me@example.com', vevent({ UID: 'a', DTSTART: '20260703T100000Z' })))
  expect(one).toMatchObject({ trust: 'owner', direction: 'observed' })
})

it('title, place and description are the content; HTML becomes text, private text is cut', async () => {
  const { events } = await read(
    await tempStore(),
    vcalendar(
      vevent({
        UID: '1',
        DTSTART: '20260703',
        SUMMARY: 'Launch\\, part 1',
        LOCATION: 'Room 4\\; upstairs',
        DESCRIPTION: 'Agree on:\\n- the date',
      }),
      vevent({
        UID: '2',
        DTSTART: '20260703',
        SUMMARY: 'Call',
        DESCRIPTION: '<p>See <a href="https://example.com/x">the plan</a></p><ul><li>one</li></ul>',
      }),
      vevent({ UID: '3', DTSTART: '20260703', SUMMARY: 'Dinner <private>with the secret</private> at eight' }),
      vevent({ UID: '4', DTSTART: '20260703', 'X-ALT-DESC': ';FMTTYPE=text/html:<b>bold</b> plan' }),
    ),
  )
  expect(events.map(({ content }) => content)).toEqual([
    'Launch, part 1\n\nWhere: Room 4; upstairs\n\nAgree on:\n- the date',
    expect.stringMatching(/^Call\n\nSee the plan \[https:\/\/example\.com\/x\]\n+ \* one$/),
    'Dinner  at eight',
    'bold plan',
  ])
  expect(JSON.stringify(events)).not.toContain('secret')
})

it('of several versions the newest counts, in whichever order they come', async () => {
  const version = (sequence: number, modified: string, title: string) =>
    vevent({ UID: 'a', DTSTART: '20260703T100000Z', SEQUENCE: String(sequence), 'LAST-MODIFIED': modified, SUMMARY: title })
  const old = version(1, '20260101T000000Z', 'first')
  const later = version(1, '20260102T000000Z', 'second')
  const newest = version(2, '20251231T000000Z', 'third')
  for (const order of [
    [old, later, newest],
    [newest, later, old],
    [later, newest, old],
  ]) {
    const store = await tempStore()
    expect((await read(store, vcalendar(...order))).one?.content).toBe('third')
    // The same across files.
    const files = await tempStore()
    for (const [n, one] of order.entries()) await read(files, vcalendar(one), `${n}.ics`)
    expect((await read(files, vcalendar())).events.map(({ content }) => content)).toEqual(['third'])
  }
})

it('what was called off is kept, and says so', async () => {
  const { events } = await read(
    await tempStore(),
    vcalendar(vevent({ UID: '1', DTSTART: '20260703', STATUS: 'CANCELLED' }), vevent({ UID: '2', DTSTART: '20260703' })),
  )
  expect(events.map(({ metadata }) => metadata.status)).toEqual(['cancelled', 'confirmed'])
  const cancelled = await read(await tempStore(), vcalendar('METHOD:CANCEL', vevent({ UID: '1', DTSTART: '20260703' })))
  expect(cancelled.one?.metadata.status).toBe('cancelled')
})

it('several calendars in one file, bare line feeds, a mark, Latin-1, and no wrapper at all', async () => {
  const event = (uid: string, title: string) => vevent({ UID: uid, DTSTART: '20260703', SUMMARY: title })
  const two = `\ufeff${['Work', 'Home'].map((name) => `BEGIN:VCALENDAR\nX-WR-CALNAME:${name}\n${event(name, name)}\nEND:VCALENDAR\n`).join('')}`
  const store = await tempStore()
  expect((await read(store, two)).events.map(({ thread_id }) => thread_id)).toEqual([
    calendarThreadId({ name: 'Home' }),
    calendarThreadId({ name: 'Work' }),
  ])
  const latin = await read(await tempStore(), Buffer.from(vcalendar(event('a', 'Café in Köln')).toString('utf8'), 'latin1'))
  expect(latin.one?.content).toBe('Café in Köln')
  const bare = await read(await tempStore(), `${event('a', 'Bare')}\n${event('b', 'Too')}`, 'invitation.ics')
  expect(bare.events.map(({ content, thread_id }) => [content, thread_id])).toEqual([
    ['Bare', 'calendar:calendars'],
    ['Too', 'calendar:calendars'],
  ])
  const wide = await read(await tempStore(), Buffer.from(`\ufeff${vcalendar(event('a', 'Wide'))}`, 'utf16le'))
  expect(wide.one?.content).toBe('Wide')
})

it('a file may be called anything: what it holds has the same ids', async () => {
  const file = vcalendar(vevent({ UID: 'a', DTSTART: '20260703', SUMMARY: 'Once' }))
  const ids = async (name: string) => {
    const { events } = await read(await tempStore(), file, name)
    return events.map(({ id, thread_id }) => [id, thread_id])
  }
  expect(await ids('work.ics')).toEqual(await ids('work (1).ics'))
})

it('what is broken costs itself: the rest is read, and the reasons are counted', async () => {
  const { events, report } = await read(
    await tempStore(),
    vcalendar(
      vevent({ UID: '1', DTSTART: '20260230T100000Z' }),
      vevent({ UID: '2', SUMMARY: 'no start' }),
      vevent({ UID: '3', DTSTART: '20260703', RRULE: 'FREQ=SOMETIMES', SUMMARY: 'kept' }),
      'BEGIN:VEVENT\nUID:4\nDTSTART:20260703',
      vevent({ UID: '5', DTSTART: '20260703', SUMMARY: 'kept too' }),
      'BEGIN:VTODO\nUID:t\nEND:VTODO\nBEGIN:VTODO\nUID:u\nEND:VTODO\nBEGIN:VFREEBUSY\nEND:VFREEBUSY',
    ),
  )
  expect(events.map(({ content }) => content)).toEqual(['kept', 'kept too'])
  expect(report).toMatchObject({ imported: 1, skipped_lines: 4 })
  expect(report.warnings.join('\n')).toContain('left out 2 tasks, 1 busy-time list: only events are read')
})

it('events without a name have the same one next time', async () => {
  const store = await tempStore()
  const text = vcalendar('BEGIN:VEVENT\nDTSTART:20260703\nSUMMARY:one\nEND:VEVENT\nBEGIN:VEVENT\nDTSTART:20260703\nSUMMARY:two\nEND:VEVENT')
  const ids = (await read(store, text)).events.map(({ id }) => id)
  expect(new Set(ids).size).toBe(2)
  expect((await read(store, text, 'again.ics')).events.map(({ id }) => id)).toEqual(ids)
})
