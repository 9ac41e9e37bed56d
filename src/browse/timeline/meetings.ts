/** An entry for each day that a meeting touches. Cancelled ones are omitted. */
import { oneLine } from '../../core/text.ts'
import { toIso, wallClock } from '../../core/time.ts'
import { eventIdsNaming } from '../../graph/read/entity-scope.ts'
import type { Store } from '../../store/store.ts'
import { episodesOfEvents } from '../episodes-of-events.ts'
import { redactText } from '../redact-stored.ts'
import { othersOf, shownPeople } from '../shown-people.ts'
import type { AskedSpan } from './asked-span.ts'
import type { TimelineEntry } from './entry.ts'
import type { TimelineOptions } from './sessions.ts'

export const CALENDAR = 'calendar'
/** Whole days have no zone: their midnight may be another day for the owner. */
const ZONES_MS = 15 * 3_600_000
const DAY_MS = 86_400_000
const LONGEST_TITLE = 200

interface Meeting {
  readonly all_day?: unknown
  readonly start_date?: unknown
  readonly end_date?: unknown
  readonly end?: unknown
  readonly status?: unknown
  readonly title?: unknown
  readonly location?: unknown
}

export async function meetingEntries(store: Store, span: AskedSpan, options: TimelineOptions): Promise<TimelineEntry[]> {
  const { from, to } = span
  const { timezone, agentId } = options
  // One that began earlier is found by its episode, which knows its end.
  const begun = store.read
    .selectFrom('episodes')
    .select('first_event_id')
    .where('channel', '=', CALENDAR)
    .where('start_time', '<', from)
    .where('end_time', '>', from - ZONES_MS)
  let query = store.read
    .selectFrom('events')
    .select(['id', 'timestamp', 'content', 'thread_id', 'metadata_json'])
    .where('channel', '=', CALENDAR)
    .where('source_adapter', '<>', 'derived')
    .where('timestamp', '<', to + ZONES_MS)
    .where((eb) => eb.or([eb('timestamp', '>=', from - ZONES_MS), eb('id', 'in', begun)]))
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  if (options.entity !== undefined) query = query.where('id', 'in', eventIdsNaming(store.read, options.entity))
  const events = await query.orderBy('timestamp').orderBy('id').execute()
  const people = await shownPeople(store, events)
  const episodes = await episodesOfEvents(
    store,
    events.map(({ id }) => id),
  )
  const [first, last] = [wallClock(from, timezone).day, wallClock(to - 1, timezone).day]
  return events.flatMap(({ id, timestamp, content, metadata_json }) => {
    const meeting = meetingOf(metadata_json)
    if (meeting.status === 'cancelled') return []
    const end = typeof meeting.end === 'number' ? meeting.end : timestamp
    const allDay = meeting.all_day === true
    const title = textOr(meeting.title) ?? content?.split('\n', 1)[0] ?? null
    const location = textOr(meeting.location)
    const entry = {
      ...{ from: toIso(timestamp), to: toIso(end), all_day: allDay, channel: CALENDAR },
      title: title === null ? null : oneLine(redactText(title), LONGEST_TITLE),
      ...{
        id: null,
        session_id: null,
        episode_id: episodes.get(id) ?? null,
        project_name: null,
        count: 1,
        active_ms: Math.max(0, end - timestamp),
      },
      people: othersOf(people.get(id) ?? [], options.own),
      location: location === null ? null : oneLine(redactText(location), LONGEST_TITLE),
      ...{ commits: [], statements: [] },
    }
    return daysOf(meeting, { timestamp, end, timezone }, { first, last }).map((day) => ({ kind: 'meeting' as const, day, ...entry }))
  })
}

function daysOf(
  { all_day, start_date, end_date }: Meeting,
  { timestamp, end, timezone }: { readonly timestamp: number; readonly end: number; readonly timezone: string },
  { first, last }: { readonly first: string; readonly last: string },
): string[] {
  const isDays = all_day === true && typeof start_date === 'string' && typeof end_date === 'string'
  const from = isDays ? start_date : wallClock(timestamp, timezone).day
  // An end date is exclusive; a meeting until midnight ends on the day before.
  const to = isDays
    ? dayBefore(end_date > start_date ? end_date : nextDay(start_date))
    : wallClock(Math.max(timestamp, end - 1), timezone).day
  const days: string[] = []
  for (let day = from < first ? first : from; day <= to && day <= last; day = nextDay(day)) days.push(day)
  return days
}

function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
}

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10)
}

export function meetingOf(json: string | null): Meeting {
  const value: unknown = json === null ? null : JSON.parse(json)
  return typeof value === 'object' && value !== null ? value : {}
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
