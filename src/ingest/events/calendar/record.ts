import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { cutMarked } from '../../../core/marked-text.ts'
import type { OneEventRecord, ThreadRecord } from '../../../ledgers/event-record.ts'
import { seenByOwner } from '../../../ledgers/meetings/meeting-facts.ts'
import { descriptionOf } from './description.ts'
import { all, type Calendar, type Entry, first, text } from './entry.ts'
import { dayName, type Moment, utcOf } from './moments.ts'
import { type Owner, takingPart } from './people.ts'
import { isLetter } from './version.ts'

export const CALENDAR = 'calendar'

export interface When {
  readonly start: Moment
  readonly length: number
}

export interface Occurrence extends When {
  readonly slot: string
  readonly cancelled?: boolean
}

export function calendarThreadId(calendar: Pick<Calendar, 'name' | 'unnamed'>): string {
  return `${CALENDAR}:${threadName(calendar)}`
}

/** Calendar names are often addresses, so ids hash them. Unnamed calendars share one id, because file names are arbitrary. */
function threadName({ name, unnamed }: Pick<Calendar, 'name' | 'unnamed'>): string {
  return unnamed ? 'calendars' : `calendars/${shortHash(16, 'calendar\n', cutMarked(name))}`
}

export function calendarThread(calendar: Calendar, { agentId, at }: { agentId: string; at: number }): ThreadRecord {
  const { zone, unnamed } = calendar
  const name = unnamed ? null : cutMarked(calendar.name)
  return {
    ...{ type: 'thread', id: calendarThreadId(calendar), sourceId: threadName(calendar), channel: CALENDAR, name, agentId },
    ...given({ metadata: zone === undefined ? undefined : { zone } }),
    ...{ createdAt: at, updatedAt: at },
  }
}

export interface RecordOptions {
  readonly owner: Owner
  readonly agentId: string
  readonly version: string
}

export function singleRecord(entry: Entry, when: When, options: RecordOptions): OneEventRecord {
  const record = recordOf(entry, when, { ...options, sourceId: entry.uid })
  return { ...record, thread: calendarThreadId(entry.calendar) }
}

export function occurrenceRecord(entry: Entry, occurrence: Occurrence, options: RecordOptions): OneEventRecord {
  const { slot } = occurrence
  // No version: the current rules always win.
  const { version: _, ...record } = recordOf(entry, occurrence, { ...options, sourceId: `${entry.uid}/${slot}`, slot })
  return { ...record, thread: `${CALENDAR}:${entry.uid}` }
}

function recordOf(
  entry: Entry,
  when: When & { readonly cancelled?: boolean },
  { owner, agentId, version, sourceId, slot }: RecordOptions & { readonly sourceId: string; readonly slot?: string },
): Omit<OneEventRecord, 'thread'> {
  const { organizer, people, answers, self, resources } = takingPart(entry)
  const facts = { calendar: cutMarked(entry.calendar.name), answers, self, ...(isLetter(entry) ? { letter: true } : {}) }
  const { direction, trust, answer } = seenByOwner(people, facts, owner.isOwn)
  const title = text(entry, 'summary')
  const place = text(entry, 'location')
  const said = [title, place && `Where: ${place}`, descriptionOf(entry)].filter((part) => part !== undefined && part !== '').join('\n\n')
  return {
    type: 'event',
    id: `${CALENDAR}:${sourceId}`,
    sourceId,
    timestamp: utcOf(when.start),
    channel: CALENDAR,
    contentTypes: ['text'],
    content: said === '' ? null : cutMarked(said),
    direction,
    speaker: organizer?.name ?? organizer?.handle ?? null,
    people: people.map((person) => ({ ...person, ...given({ name: person.name ? cutMarked(person.name) : undefined }) })),
    trust,
    agentId,
    version,
    metadata: {
      ...timesOf(when),
      status: when.cancelled || entry.calendar.method === 'CANCEL' ? 'cancelled' : (text(entry, 'status')?.toLowerCase() ?? 'confirmed'),
      uid: entry.uid,
      calendar: facts.calendar,
      ...given({ recurrence_id: slot, title: visible(title), location: visible(place), ...more(entry) }),
      ...(Object.keys(answers).length > 0 ? { answers } : {}),
      ...(resources.length > 0 ? { resources } : {}),
      ...(self.length > 0 ? { self } : {}),
      ...(isLetter(entry) ? { letter: true } : {}),
      version,
      // Last in the list: it depends on the owner's addresses.
      ...given({ answer }),
    },
  }
}

function more(entry: Entry) {
  const categories = all(entry, 'categories').flatMap((property) => property.slice(3).map(String))
  return {
    url: text(entry, 'url'),
    conference: text(entry, 'conference') ?? text(entry, 'x-google-conference'),
    categories: categories.length > 0 ? categories.map(cutMarked) : undefined,
    // TRANSPARENT: the owner is free.
    busy: text(entry, 'transp')?.toUpperCase() === 'TRANSPARENT' ? false : undefined,
    class: text(entry, 'class')?.toLowerCase(),
    type: text(entry, 'x-mnemonic-type'),
    geo: first(entry, 'geo') === undefined ? undefined : text(entry, 'geo'),
  }
}

const visible = (value: string | undefined): string | undefined => (value === undefined ? undefined : cutMarked(value))

/** Dates stay dates in every zone. The end is exclusive, as in iCalendar. */
function timesOf({ start, length }: When): Record<string, unknown> {
  if (start.isDate) {
    const [first, end] = [dashed(start.wall), dashed(start.wall + length)]
    return { all_day: true, start_date: first, end_date: end, zone: start.zone.name, end: endOf({ start, length }) }
  }
  const end = endOf({ start, length })
  const local = (utc: number) => new Date(utc + start.zone.offsetAt(utc)).toISOString().slice(0, 19)
  return {
    ...{ all_day: false, start_local: local(utcOf(start)), end_local: local(end), zone: start.zone.name, end },
    ...(start.floating ? { floating: true } : {}),
  }
}

/** Milliseconds; for dates the midnight after the last day. */
export function endOf({ start, length }: When): number {
  return start.isDate ? utcOf({ ...start, wall: start.wall + length }) : utcOf(start) + length
}

function dashed(wall: number): string {
  return dayName(wall).replace(/^(.+)(\d\d)(\d\d)$/, '$1-$2-$3')
}
