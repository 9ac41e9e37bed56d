/** A rule or exception as stored: enough to expand it without its file. */

import { cutMarkedDeep } from '../../../core/marked-text.ts'
import type { SeriesPartRecord } from '../../../ledgers/event-record.ts'
import { type Calendar, type Entry, first, type Property, parameter } from './entry.ts'
import { momentOf, slotName } from './moments.ts'
import { lastStart } from './occurrences.ts'
import { calendarThreadId, type RecordOptions, singleRecord } from './record.ts'
import { ianaName } from './zones.ts'

interface Body {
  readonly calendar: Calendar
  readonly properties: readonly Property[]
  /** Only non-standard zones. */
  readonly zones: Readonly<Record<string, unknown>>
}

const NEVER = Number.MAX_SAFE_INTEGER

export function seriesPart(entry: Entry, options: RecordOptions): SeriesPartRecord | undefined {
  const { owner, agentId, version } = options
  const { timezone } = owner
  const property = first(entry, 'recurrence-id')
  const slot = property && momentOf(property[3], property, { entry, timezone })
  if (property !== undefined && slot === undefined) return undefined
  const start = first(entry, 'dtstart')
  const when = start && momentOf(start[3], start, { entry, timezone })
  // Content and people let forget and ignore rules match.
  const { content, people = [] } = singleRecord(entry, { start: when ?? slot ?? EPOCH, length: 0 }, options)
  const body: Body = { calendar: entry.calendar, properties: entry.properties, zones: ownZones(entry) }
  return {
    ...{ type: 'series_part', series: entry.uid, part: slot === undefined ? '' : slotName(slot), version, agentId, content, people },
    ...{ channel: 'calendar', thread: calendarThreadId(entry.calendar) },
    endsAt: slot === undefined ? (lastStart(entry, timezone) ?? NEVER) : 0,
    body: cutMarkedDeep(structuredClone(body)),
  }
}

const EPOCH = { wall: 0, isDate: true, floating: true, zone: { name: 'UTC', offsetAt: () => 0, utcOf: (wall: number) => wall } } as const

export function entryOfPart(uid: string, body: unknown): Entry {
  const { calendar, properties, zones } = body as Body
  return { uid, calendar, properties, zones: new Map(Object.entries(zones)) }
}

function ownZones({ properties, calendar, zones }: Entry): Record<string, unknown> {
  const named = [...properties.map((property) => parameter(property, 'tzid')), calendar.zone]
  const own: Record<string, unknown> = {}
  for (const tzid of named) if (tzid !== undefined && ianaName(tzid) === undefined && zones.has(tzid)) own[tzid] = zones.get(tzid)
  return own
}
