/** Google's JSON must give the same events as its iCalendar export. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import type { Store } from '../../store/store.ts'
import { syncSources } from '../sync.ts'
import { calendarThreadId } from './calendar/record.ts'
import { calendar } from './calendar.ts'
import { calendarSeries } from './calendar-series.ts'

const owner = { isOwn: (handle: string) => handle === 'me@example.com', timezone: 'UTC' }

async function read(store: Store, value: unknown, name = 'page.json') {
  const path = join(tempFolder(), name)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  const clock = () => NOON
  const adapters = [calendar({ owner, agentId: 'main' }), calendarSeries({ store, clock, owner: async () => owner })]
  const report = await syncSources({
    ...{ store, adapters, path, clock, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} },
  })
  const rows = await store.read.selectFrom('events').selectAll().orderBy('id').execute()
  return {
    totals: report.totals,
    events: rows.map((row) => ({ ...row, metadata: JSON.parse(row.metadata_json ?? '{}') as Record<string, unknown> })),
  }
}

const event = (id: string, more: object) => ({
  kind: 'calendar#event',
  id,
  iCalUID: `${id}@google.com`,
  status: 'confirmed',
  updated: '2026-01-01T10:00:00.000Z',
  ...more,
})
const page = (...items: object[]) => ({ kind: 'calendar#events', summary: 'Work', timeZone: 'Europe/Berlin', items })

it('a page: times, people, answers, the link, HTML', async () => {
  const store = await tempStore()
  const { events, totals } = await read(
    store,
    page(
      event('a1', {
        summary: 'Launch review',
        description: 'Agree on <b>the date</b><br>and the place',
        location: 'Room 4',
        start: { dateTime: '2026-07-03T10:00:00+02:00', timeZone: 'Europe/Berlin' },
        end: { dateTime: '2026-07-03T11:00:00+02:00', timeZone: 'Europe/Berlin' },
        organizer: { email: 'Sarah@example.com', displayName: 'Sarah Chen' },
        attendees: [
          { email: 'me@corp.example.com', self: true, responseStatus: 'accepted' },
          { email: 'room@resource.example.com', displayName: 'Room 4', resource: true, responseStatus: 'accepted' },
        ],
        hangoutLink: 'https://meet.example.com/abc',
      }),
      event('a2', {
        summary: 'Holiday',
        start: { date: '2026-07-04' },
        end: { date: '2026-07-06' },
        organizer: { email: 'me@corp.example.com', self: true },
      }),
    ),
  )
  expect(totals).toMatchObject({ records: 2, skipped_lines: 0, warnings: [] })
  expect(events[0]).toMatchObject({
    ...{
      id: 'calendar:a1@google.com',
      thread_id: calendarThreadId({ name: 'Work' }),
      direction: 'received',
      trust: 'contact',
      speaker: 'Sarah Chen',
    },
    ...{ timestamp: Date.UTC(2026, 6, 3, 8), content: 'Launch review\n\nWhere: Room 4\n\nAgree on the date\nand the place' },
    metadata: {
      zone: 'Europe/Berlin',
      start_local: '2026-07-03T10:00:00',
      conference: 'https://meet.example.com/abc',
      answer: 'accepted',
      resources: ['Room 4'],
    },
  })
  expect(events[1]).toMatchObject({
    direction: 'sent',
    trust: 'owner',
    metadata: { all_day: true, start_date: '2026-07-04', end_date: '2026-07-06' },
  })
})

it('a rule with exceptions; those that were called off hold nothing but ids, also of imported events', async () => {
  const uid = '040000008200E00074C5B7101A82E008'
  const encoded = `_${[...Buffer.from(uid)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .match(/.{1,5}/g)
    ?.map((bits) => Number.parseInt(bits.padEnd(5, '0'), 2).toString(32))
    .join('')}`
  const at = (day: number, hour = 10) => ({
    dateTime: `2026-01-${String(day).padStart(2, '0')}T${hour}:00:00+01:00`,
    timeZone: 'Europe/Berlin',
  })
  const weekly = {
    start: at(5),
    end: at(5, 11),
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE;TZID=Europe/Berlin:20260126T100000'],
    summary: 'Standup',
  }
  const off = (master: string, day: number) => ({
    kind: 'calendar#event',
    id: `${master}_202601${String(day).padStart(2, '0')}T090000Z`,
    status: 'cancelled',
    recurringEventId: master,
    originalStartTime: at(day),
  })
  const moved = event('m1_20260119T090000Z', {
    iCalUID: 'm1@google.com',
    recurringEventId: 'm1',
    originalStartTime: at(19),
    start: at(20),
    end: at(20, 12),
    summary: 'Moved',
  })
  const store = await tempStore()
  // Exceptions arrive in a separate page, before the rule.
  await read(store, page(off('m1', 12), moved, off(encoded, 12)), 'page-2.json')
  const { events } = await read(store, [page(event('m1', weekly)), page({ ...event(encoded, weekly), iCalUID: uid })], 'page-1.json')
  expect(
    events.map(({ id, content, timestamp, metadata }) => [id, content, new Date(timestamp).toISOString().slice(0, 13), metadata.status]),
  ).toEqual([
    [`calendar:${uid}/20260105T090000Z`, 'Standup', '2026-01-05T09', 'confirmed'],
    [`calendar:${uid}/20260112T090000Z`, 'Standup', '2026-01-12T09', 'cancelled'],
    [`calendar:${uid}/20260119T090000Z`, 'Standup', '2026-01-19T09', 'confirmed'],
    ['calendar:m1@google.com/20260105T090000Z', 'Standup', '2026-01-05T09', 'confirmed'],
    ['calendar:m1@google.com/20260112T090000Z', 'Standup', '2026-01-12T09', 'cancelled'],
    ['calendar:m1@google.com/20260119T090000Z', 'Moved', '2026-01-20T09', 'confirmed'],
  ])
})

it('times in UTC are in UTC, whatever the zone of the calendar: an occurrence that is named so is that of the rule', async () => {
  const store = await tempStore()
  const weekly = {
    start: { dateTime: '2026-03-23T09:00:00+01:00', timeZone: 'Europe/Berlin' },
    end: { dateTime: '2026-03-23T09:15:00+01:00', timeZone: 'Europe/Berlin' },
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'],
    summary: 'Standup',
  }
  const moved = event('m1_20260330T070000Z', {
    iCalUID: 'm1@google.com',
    recurringEventId: 'm1',
    originalStartTime: { dateTime: '2026-03-30T07:00:00.000Z', timeZone: 'UTC' },
    start: { dateTime: '2026-03-30T13:00:00Z', timeZone: 'UTC' },
    summary: 'Moved',
  })
  const { events } = await read(store, page(event('m1', weekly), moved))
  expect(events.map(({ id, content, timestamp }) => [id, content, new Date(timestamp).toISOString().slice(0, 16)])).toEqual([
    ['calendar:m1@google.com/20260323T080000Z', 'Standup', '2026-03-23T08:00'],
    ['calendar:m1@google.com/20260330T070000Z', 'Moved', '2026-03-30T13:00'],
  ])
})

it('other JSON is set aside, a broken page too', async () => {
  const store = await tempStore()
  expect((await read(store, { hello: 1 }, 'other.json')).totals).toMatchObject({ quarantined: 1 })
  expect((await read(store, '{"kind":"calendar#events","items":[{"id":"a"', 'cut.json')).totals).toMatchObject({
    quarantined: 1,
    records: 0,
  })
  const single = await read(store, event('solo', { start: { date: '2026-07-04' } }), 'solo.json')
  expect(single.events.map(({ id, thread_id }) => [id, thread_id])).toEqual([['calendar:solo@google.com', 'calendar:calendars']])
})
