/** A stored rule yields events, and keeps doing so without its file. */
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { processorTime } from '../../../test/helpers/processor-time.ts'
import { vcalendar, vevent } from '../../../test/helpers/sources/calendar.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import type { Store } from '../../store/store.ts'
import { syncSources } from '../sync.ts'
import type { Property } from './calendar/entry.ts'
import { expand } from './calendar/occurrences.ts'
import { parsed } from './calendar/read-ics.ts'
import { calendarThreadId } from './calendar/record.ts'
import { calendar } from './calendar.ts'
import { calendarSeries, horizonOf } from './calendar-series.ts'

const owner = { isOwn: (handle: string) => handle === 'me@example.com', timezone: 'Europe/Berlin' }

async function sync(store: Store, path: string | undefined, now = NOON) {
  const clock = () => now
  const series = calendarSeries({ store, clock, owner: async () => owner })
  const { adapters } = await syncSources({
    ...{ store, clock, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} },
    adapters: path === undefined ? [series] : [calendar({ paths: [path], owner, agentId: 'main' }), series],
  })
  return adapters
}

async function slots(store: Store): Promise<string[]> {
  const rows = await store.read.selectFrom('events').select('source_id').orderBy('timestamp').execute()
  return rows.map(({ source_id }) => source_id.replace(/^[^/]*\//, ''))
}

async function expanded(...lines: string[]): Promise<string[]> {
  const store = await tempStore()
  const path = join(tempFolder(), 'x.ics')
  writeFileSync(path, vcalendar(...lines))
  await sync(store, path)
  return slots(store)
}

it('a weekly meeting of twenty years is there to the day, a year ahead, and a second sync reads nothing', async () => {
  const store = await tempStore()
  const path = join(tempFolder(), 'work.ics')
  writeFileSync(
    path,
    vcalendar(
      'X-WR-CALNAME:Work',
      vevent({ UID: 'w', DTSTART: ';TZID=Europe/Berlin:20060102T100000', RRULE: 'FREQ=WEEKLY', SUMMARY: 'Standup' }),
    ),
  )
  await sync(store, path)
  const found = await slots(store)
  // By hand: Mondays from 2 January 2006 until 1 March 2027, which is past the horizon.
  const days = (Date.UTC(2027, 1, 22) - Date.UTC(2006, 0, 2)) / 86_400_000
  expect(found).toHaveLength(days / 7 + 1)
  expect([found[0], found.at(-1)]).toEqual(['20060102T090000Z', '20270222T090000Z'])
  // Ten o'clock in summer too.
  expect(found).toContain('20260706T080000Z')
  const threads = await store.read.selectFrom('threads').select(['id', 'name', 'parent_thread_id']).orderBy('id').execute()
  expect(threads).toEqual([
    { id: calendarThreadId({ name: 'Work' }), name: 'Work', parent_thread_id: null },
    { id: 'calendar:w', name: 'Standup', parent_thread_id: calendarThreadId({ name: 'Work' }) },
  ])
  const again = await sync(store, path)
  expect(again.map(({ imported, unchanged, bytes_read }) => [imported, unchanged, bytes_read])).toEqual([
    [0, 1, 0],
    [0, 1, 0],
  ])
})

it('a series that is moved to another calendar belongs to that one', async () => {
  const store = await tempStore()
  const path = join(tempFolder(), 'x.ics')
  for (const [calendar, sequence] of [['Work', '0'] as const, ['Private life', '1'] as const]) {
    const rule = vevent({ UID: 'w', SEQUENCE: sequence, DTSTART: '20260105T100000Z', RRULE: 'FREQ=WEEKLY;COUNT=2' })
    writeFileSync(path, vcalendar(`X-WR-CALNAME:${calendar}`, rule))
    await sync(store, path)
  }
  const series = await store.read.selectFrom('threads').select('parent_thread_id').where('id', '=', 'calendar:w').execute()
  expect(series).toEqual([{ parent_thread_id: calendarThreadId({ name: 'Private life' }) }])
})

it('goes on a month later without the file, and the ids stay', async () => {
  const store = await tempStore()
  const path = join(tempFolder(), 'x.ics')
  writeFileSync(path, vcalendar(vevent({ UID: 'm', DTSTART: '20250115T100000Z', RRULE: 'FREQ=MONTHLY' })))
  await sync(store, path)
  const before = await slots(store)
  expect(before.at(-1)).toBe('20270215T100000Z')
  rmSync(path)
  await sync(store, undefined, Date.UTC(2026, 2, 10))
  const after = await slots(store)
  expect(after).toEqual([...before, '20270315T100000Z'])
  // An ended series is not processed again.
  expect((await sync(store, undefined, Date.UTC(2026, 2, 25)))[0]).toMatchObject({ imported: 0, unchanged: 1 })
})

it('what the rule no longer gives is removed; a rule that shrinks to one event, and back', async () => {
  const store = await tempStore()
  const path = join(tempFolder(), 'x.ics')
  // Explicit mtimes: versions may have equal size, and file system clocks are coarse.
  let second = Date.UTC(2026, 0, 5) / 1000
  const write = (sequence: number, more: Record<string, string>) => {
    writeFileSync(path, vcalendar(vevent({ UID: 'a', SEQUENCE: String(sequence), DTSTART: '20260105T100000Z', ...more })))
    utimesSync(path, second, second)
    second += 1
  }
  write(0, { RRULE: 'FREQ=DAILY;COUNT=5' })
  await sync(store, path)
  expect(await slots(store)).toHaveLength(5)
  write(1, { RRULE: 'FREQ=DAILY;COUNT=3' })
  await sync(store, path)
  expect(await slots(store)).toEqual(['20260105T100000Z', '20260106T100000Z', '20260107T100000Z'])
  write(2, { SUMMARY: 'once' })
  await sync(store, path)
  expect(await slots(store)).toEqual(['a'])
  // An older repeating file changes nothing.
  write(1, { RRULE: 'FREQ=DAILY;COUNT=4' })
  await sync(store, path)
  expect(await slots(store)).toEqual(['a'])
  write(3, { RRULE: 'FREQ=DAILY;COUNT=2' })
  await sync(store, path)
  expect(await slots(store)).toEqual(['20260105T100000Z', '20260106T100000Z'])
})

it('changed occurrences keep the id of their slot: moved, called off, before the rule and without one', async () => {
  const rule = vevent({
    UID: 'a',
    DTSTART: ';TZID=Europe/Berlin:20260105T100000',
    DURATION: 'PT1H',
    RRULE: 'FREQ=WEEKLY;COUNT=4',
    SUMMARY: 'Standup',
  })
  const moved = vevent({
    UID: 'a',
    'RECURRENCE-ID': ';TZID=Europe/Berlin:20260112T100000',
    DTSTART: ';TZID=Europe/Berlin:20260113T150000',
    SUMMARY: 'Moved',
  })
  const off = vevent({
    UID: 'a',
    'RECURRENCE-ID': '20260119T090000Z',
    DTSTART: '20260119T090000Z',
    STATUS: 'CANCELLED',
    SUMMARY: 'Standup',
  })
  const alone = vevent({ UID: 'b', 'RECURRENCE-ID': ';VALUE=DATE:20260301', DTSTART: ';VALUE=DATE:20260302', SUMMARY: 'Alone' })
  const store = await tempStore()
  const path = join(tempFolder(), 'x.ics')
  writeFileSync(path, vcalendar(moved, off, rule, alone))
  await sync(store, path)
  const rows = await store.read.selectFrom('events').select(['id', 'timestamp', 'content', 'metadata_json']).orderBy('id').execute()
  expect(
    rows.map(({ id, timestamp, content, metadata_json }) => [
      ...[id, new Date(timestamp).toISOString().slice(0, 16), content, (JSON.parse(metadata_json ?? '{}') as { status: string }).status],
    ]),
  ).toEqual([
    ['calendar:a/20260105T090000Z', '2026-01-05T09:00', 'Standup', 'confirmed'],
    ['calendar:a/20260112T090000Z', '2026-01-13T14:00', 'Moved', 'confirmed'],
    ['calendar:a/20260119T090000Z', '2026-01-19T09:00', 'Standup', 'cancelled'],
    ['calendar:a/20260126T090000Z', '2026-01-26T09:00', 'Standup', 'confirmed'],
    ['calendar:b/20260301', '2026-03-01T23:00', 'Alone', 'confirmed'],
  ])
})

it('a change that holds from some day on moves all that follow', async () => {
  const store = await tempStore()
  const path = join(tempFolder(), 'x.ics')
  const rule = vevent({ UID: 'a', DTSTART: '20260105T100000Z', RRULE: 'FREQ=WEEKLY;COUNT=4', SUMMARY: 'old' })
  const change = vevent({ UID: 'a', 'RECURRENCE-ID': ';RANGE=THISANDFUTURE:20260119T100000Z', DTSTART: '20260120T120000Z', SUMMARY: 'new' })
  writeFileSync(path, vcalendar(rule, change))
  await sync(store, path)
  const rows = await store.read.selectFrom('events').select(['source_id', 'timestamp', 'content']).orderBy('timestamp').execute()
  expect(rows.map((row) => [row.source_id, new Date(row.timestamp).toISOString().slice(0, 16), row.content])).toEqual([
    ['a/20260105T100000Z', '2026-01-05T10:00', 'old'],
    ['a/20260112T100000Z', '2026-01-12T10:00', 'old'],
    ['a/20260119T100000Z', '2026-01-20T12:00', 'new'],
    ['a/20260126T100000Z', '2026-01-27T12:00', 'new'],
  ])
})

it.each<[what: string, change: Record<string, string>, expected: string[]]>([
  [
    'named by its day, keeps the time of day',
    { 'RECURRENCE-ID': ';VALUE=DATE;RANGE=THISANDFUTURE:20260119', DTSTART: '20260120T120000Z' },
    ['2026-01-05T10:00 confirmed', '2026-01-12T10:00 confirmed', '2026-01-20T12:00 confirmed', '2026-01-27T12:00 confirmed'],
  ],
  [
    'that calls off, without a time of its own',
    { 'RECURRENCE-ID': ';RANGE=THISANDFUTURE:20260119T100000Z', STATUS: 'CANCELLED' },
    ['2026-01-05T10:00 confirmed', '2026-01-12T10:00 confirmed', '2026-01-19T10:00 cancelled', '2026-01-26T10:00 cancelled'],
  ],
])('a change from some day on, %s', async (_, change, expected) => {
  const store = await tempStore()
  const path = join(tempFolder(), 'x.ics')
  const rule = vevent({ UID: 'a', DTSTART: '20260105T100000Z', RRULE: 'FREQ=WEEKLY;COUNT=4' })
  writeFileSync(path, vcalendar(rule, vevent({ UID: 'a', ...change })))
  await sync(store, path)
  const rows = await store.read.selectFrom('events').select(['timestamp', 'metadata_json']).orderBy('timestamp').execute()
  const status = (json: string | null) => (JSON.parse(json ?? '{}') as { status: string }).status
  expect(rows.map((row) => `${new Date(row.timestamp).toISOString().slice(0, 16)} ${status(row.metadata_json)}`)).toEqual(expected)
})

it('a year later the horizon is a year further: rows that are there stay as they are, and nothing is read', async () => {
  const store = await tempStore()
  const path = join(tempFolder(), 'x.ics')
  const of = { UID: 'w', SUMMARY: 'Standup' }
  const zoned = (at: string) => `;TZID=Europe/Berlin:${at}`
  writeFileSync(
    path,
    vcalendar(
      vevent({ ...of, DTSTART: zoned('20260105T100000'), RRULE: 'FREQ=WEEKLY', EXDATE: zoned('20260302T100000') }),
      vevent({ ...of, 'RECURRENCE-ID': zoned('20260112T100000'), DTSTART: zoned('20260113T150000') }),
      vevent({ ...of, 'RECURRENCE-ID': ';RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260601T100000', DTSTART: zoned('20260602T093000') }),
      // Beyond this year's horizon, within next year's.
      vevent({ ...of, 'RECURRENCE-ID': zoned('20270906T100000'), DTSTART: zoned('20270908T110000'), STATUS: 'CANCELLED' }),
      vevent({ UID: 'days', DTSTART: ';VALUE=DATE:20260701', RRULE: 'FREQ=YEARLY', SUMMARY: 'Holiday' }),
    ),
  )
  await sync(store, path)
  const all = () => store.read.selectFrom('events').selectAll().orderBy('id').execute()
  const before = await all()
  rmSync(path)
  const later = NOON + 365 * 86_400_000
  await sync(store, undefined, later)
  const after = await all()
  const kept = new Set(before.map(({ id }) => id))
  expect(after.filter(({ id }) => kept.has(id))).toEqual(before)
  const added = after.filter(({ id }) => !kept.has(id))
  expect(added.filter(({ id }) => id.startsWith('calendar:w/')).length).toBe(52)
  expect(added.filter(({ id }) => id.startsWith('calendar:days/')).map(({ id }) => id)).toEqual(['calendar:days/20270701'])
  expect(new Set(after.map(({ id }) => id)).size).toBe(after.length)
  expect((await sync(store, undefined, later))[0]).toMatchObject({ imported: 0, unchanged: 2 })
})

const berlin = ';TZID=Europe/Berlin:20260105T100000'
it.each<[what: string, properties: Record<string, string | string[]>, slots: string]>([
  [
    'UNTIL in UTC, of the last one',
    { DTSTART: berlin, RRULE: 'FREQ=WEEKLY;UNTIL=20260119T090000Z' },
    '20260105T090000Z 20260112T090000Z 20260119T090000Z',
  ],
  ['UNTIL without its Z is local', { DTSTART: berlin, RRULE: 'FREQ=WEEKLY;UNTIL=20260119T095959' }, '20260105T090000Z 20260112T090000Z'],
  ['UNTIL as a day includes it', { DTSTART: berlin, RRULE: 'FREQ=WEEKLY;UNTIL=20260112' }, '20260105T090000Z 20260112T090000Z'],
  [
    'days, UNTIL with a time',
    { DTSTART: ';VALUE=DATE:20260105', RRULE: 'FREQ=DAILY;UNTIL=20260107T000000Z' },
    '20260105 20260106 20260107',
  ],
  [
    'EXDATE in another zone, and as a day',
    { DTSTART: berlin, RRULE: 'FREQ=WEEKLY;COUNT=4', EXDATE: ['20260112T090000Z', ';VALUE=DATE:20260119'] },
    '20260105T090000Z 20260126T090000Z',
  ],
  [
    'EXDATE with a time, of days',
    { DTSTART: ';VALUE=DATE:20260105', RRULE: 'FREQ=DAILY;COUNT=3', EXDATE: '20260106T000000' },
    '20260105 20260107',
  ],
  [
    'RDATE of times, days and periods',
    { DTSTART: berlin, RDATE: ['20260201T120000Z', ';VALUE=DATE:20260202', ';VALUE=PERIOD:20260203T120000Z/PT2H'] },
    '20260105T090000Z 20260201T120000Z 20260202T090000Z 20260203T120000Z',
  ],
  [
    'summer begins',
    { DTSTART: ';TZID=Europe/Berlin:20260322T023000', RRULE: 'FREQ=WEEKLY;COUNT=3' },
    '20260322T013000Z 20260329T013000Z 20260405T003000Z',
  ],
  [
    'winter begins',
    { DTSTART: ';TZID=America/New_York:20251026T013000', RRULE: 'FREQ=WEEKLY;COUNT=3' },
    '20251026T053000Z 20251102T053000Z 20251109T063000Z',
  ],
  ['29 February', { DTSTART: ';VALUE=DATE:20160229', RRULE: 'FREQ=YEARLY' }, '20160229 20200229 20240229'],
  [
    'the last weekday of a month',
    { DTSTART: '20260130T100000Z', RRULE: 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3' },
    '20260130T100000Z 20260227T100000Z 20260331T100000Z',
  ],
  ['the 31st', { DTSTART: ';VALUE=DATE:20260131', RRULE: 'FREQ=MONTHLY;COUNT=3' }, '20260131 20260331 20260531'],
  [
    'the last day of two months',
    { DTSTART: ';VALUE=DATE:20250930', RRULE: 'FREQ=YEARLY;BYMONTH=2,9;BYMONTHDAY=-1;COUNT=3' },
    '20250930 20260228 20260930',
  ],
  [
    'a week by its number',
    { DTSTART: ';VALUE=DATE:20240513', RRULE: 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3' },
    '20240513 20250512 20260511',
  ],
  [
    'a start that the rule would not give',
    { DTSTART: '20260106T100000Z', RRULE: 'FREQ=WEEKLY;BYDAY=MO;COUNT=3' },
    '20260106T100000Z 20260112T100000Z 20260119T100000Z',
  ],
  ['spaces in a rule', { DTSTART: '20260105T100000Z', RRULE: 'FREQ=WEEKLY;BYDAY=MO, TU;COUNT=2' }, '20260105T100000Z 20260106T100000Z'],
])('%s', async (_, properties, expected) => {
  expect((await expanded(vevent({ UID: 'a', ...properties }))).join(' ')).toBe(expected)
})

function series(start: string, rule: string) {
  const properties = [`DTSTART:${start}`, `RRULE:${rule}`].map((line) => parsed(line) as Property)
  const master = { uid: 'a', calendar: { name: 'x' }, zones: new Map(), properties }
  return expand({ master, changed: [] }, { timezone: 'UTC', horizon: horizonOf(NOON) })
}

it.each([
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31',
  'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6',
])('a rule that nothing fits comes to an end: %s', (rule) => {
  expect(series('20260105T100000Z', rule).occurrences.map(({ at }) => at.slot)).toEqual(['20260105T100000Z'])
})

it('of a daily rule of 1970 the newest are made, and that there are more is said', () => {
  const { occurrences, leftOut } = series('19700101T100000Z', 'FREQ=DAILY')
  expect([occurrences.length, occurrences.at(-1)?.at.slot, leftOut]).toEqual([10_000, '20270228T100000Z', true])
  expect(series('20200101T100000Z', 'FREQ=DAILY').leftOut).toBe(false)
})

it('an invitation, a cancellation or an answer that a stranger sends changes nothing that a calendar says, in any order', async () => {
  const own = vcalendar(
    'X-WR-CALNAME:me@example.com',
    vevent({ UID: 'one', DTSTART: '20260105T100000Z', SUMMARY: 'Mine', ORGANIZER: ';CN=Me:mailto:me@example.com', SEQUENCE: '1' }),
    vevent({
      UID: 'many',
      DTSTART: '20260105T100000Z',
      SUMMARY: 'Ours',
      ORGANIZER: 'mailto:me@example.com',
      RRULE: 'FREQ=DAILY;COUNT=2',
    }),
  )
  const letter = (method: string, ...events: string[]) => vcalendar('X-WR-CALNAME:me@example.com', `METHOD:${method}`, ...events)
  const answer = { ORGANIZER: 'mailto:me@example.com', ATTENDEE: ';PARTSTAT=ACCEPTED:mailto:me@example.com', SEQUENCE: '99' }
  const letters = [
    letter(
      'CANCEL',
      vevent({ UID: 'one', DTSTART: '20260105T100000Z', SUMMARY: 'Off', ...answer }),
      vevent({ UID: 'many', DTSTART: '20260105T100000Z', ...answer }),
    ),
    letter(
      'REQUEST',
      vevent({ UID: 'many', 'RECURRENCE-ID': '20260106T100000Z', DTSTART: '20260107T100000Z', SUMMARY: 'Moved', ...answer }),
    ),
    letter('REPLY', vevent({ UID: 'one', DTSTART: '20260105T100000Z', SUMMARY: 'Replied', ...answer })),
  ]
  const seen: unknown[] = []
  for (const files of [
    [own, ...letters],
    [...letters, own],
  ]) {
    const [store, folder] = [await tempStore(), tempFolder()]
    for (const [n, text] of files.entries()) {
      writeFileSync(join(folder, `${n}.ics`), text)
      await sync(store, folder)
    }
    const rows = await store.read
      .selectFrom('events')
      .select(['source_id', 'content', 'trust', 'direction', 'metadata_json'])
      .orderBy('source_id')
      .execute()
    seen.push(
      rows.map(({ metadata_json, ...row }) => ({ ...row, status: (JSON.parse(metadata_json ?? '{}') as { status: string }).status })),
    )
  }
  const kept = { trust: 'owner', direction: 'sent', status: 'confirmed' }
  const wanted = [
    { source_id: 'many/20260105T100000Z', content: 'Ours', ...kept },
    { source_id: 'many/20260106T100000Z', content: 'Ours', ...kept },
    { source_id: 'one', content: 'Mine', ...kept },
  ]
  expect(seen).toEqual([wanted, wanted])
})

it('a letter alone is kept, is never trusted, and a later one of its kind counts', async () => {
  const [store, folder] = [await tempStore(), tempFolder()]
  const said = {
    UID: 'x',
    DTSTART: '20260105T100000Z',
    ORGANIZER: 'mailto:me@example.com',
    ATTENDEE: ';PARTSTAT=ACCEPTED:mailto:me@example.com',
  }
  writeFileSync(join(folder, 'a.ics'), vcalendar('METHOD:REQUEST', vevent({ ...said, SUMMARY: 'Come' })))
  writeFileSync(join(folder, 'b.ics'), vcalendar('METHOD:CANCEL', vevent({ ...said, SUMMARY: 'Come', SEQUENCE: '1' })))
  writeFileSync(join(folder, 'c.ics'), vcalendar('METHOD:REPLY', vevent({ ...said, SUMMARY: 'I come', SEQUENCE: '7' })))
  await sync(store, folder)
  const [event, ...others] = await store.read.selectFrom('events').selectAll().execute()
  expect(others).toEqual([])
  expect(event).toMatchObject({ content: 'Come', trust: 'untrusted', direction: 'received' })
  expect(event?.metadata_json).toContain('"status":"cancelled"')
})

it('rules and zones that would not end are given up, and their neighbours are there', async () => {
  const spent = processorTime()
  const zone = (name: string, rule: string) =>
    `BEGIN:VTIMEZONE\r\nTZID:${name}\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nRRULE:${rule}\r\nEND:STANDARD\r\nEND:VTIMEZONE`
  const found = await expanded(
    zone('Every second', 'FREQ=SECONDLY'),
    zone('Never', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'),
    `${'BEGIN:VTIMEZONE\r\nTZID:Deep\r\n'.repeat(20_000)}${'END:VTIMEZONE\r\n'.repeat(20_000)}`.trimEnd(),
    ...['Every second', 'Never', 'Deep'].map((name) =>
      vevent({ UID: name, DTSTART: `;TZID=${name}:20260105T100000`, RRULE: 'FREQ=DAILY;COUNT=2' }),
    ),
    vevent({ UID: 'far', DTSTART: '20260105T100000Z', RRULE: 'FREQ=DAILY;INTERVAL=99999999999' }),
    vevent({
      UID: 'added',
      DTSTART: '20260105T100000Z',
      RDATE: `${Array.from({ length: 130_000 }, () => '20260106T100000Z').join(',')}`,
    }),
    vevent({ UID: 'good', DTSTART: '20260105T100000Z', RRULE: 'FREQ=DAILY;COUNT=2' }),
  )
  expect(found).toHaveLength(11)
  expect(spent()).toBeLessThan(30_000)
}, 60_000)

it('occurrences that are there already follow a series that says something else now', async () => {
  const [store, path] = [await tempStore(), join(tempFolder(), 'x.ics')]
  const said = { UID: 'a', DTSTART: '20260105T100000Z', RRULE: 'FREQ=DAILY;COUNT=2' }
  writeFileSync(path, vcalendar(vevent({ ...said, SUMMARY: 'Before', SEQUENCE: '1' })))
  await sync(store, path)
  writeFileSync(path, vcalendar(vevent({ ...said, SUMMARY: 'After that', SEQUENCE: '2' })))
  await sync(store, path)
  const rows = await store.read.selectFrom('events').select('content').execute()
  expect(rows.map(({ content }) => content)).toEqual(['After that', 'After that'])
})

it('a series of long texts gives its newest occurrences, as many as fit, and says so', async () => {
  const [store, path] = [await tempStore(), join(tempFolder(), 'x.ics')]
  writeFileSync(
    path,
    vcalendar(vevent({ UID: 'a', DTSTART: '20000105T100000Z', RRULE: 'FREQ=DAILY', DESCRIPTION: 'long '.repeat(200_000) })),
  )
  const reports = await sync(store, path)
  const found = await slots(store)
  expect(found).toHaveLength(67)
  expect(found.at(-1)).toMatch(/^2027/)
  expect(JSON.stringify(reports)).toContain('gives more events than are made of one')
})
