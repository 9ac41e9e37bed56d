/** For an empty time: the nearest days with content. */
import type { Selectable } from 'kysely'
import { wallClock } from '../../core/time.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import type { EventsTable } from '../../store/tables.ts'
import type { AskedSpan } from './asked-span.ts'
import { CALENDAR, meetingOf } from './meetings.ts'
import type { TimelineOptions } from './sessions.ts'

interface Scope extends TimelineOptions {
  readonly scope: ProjectScope | undefined
  readonly personal: boolean
}

/** Events to examine on each side; more cancelled ones in a row are unlikely. */
const LOOKED_AT = 200

type Around<At> = { readonly before: At | null; readonly after: At | null }

export async function nearestDays(store: Store, span: AskedSpan, scope: Scope): Promise<Around<string>> {
  const turns = await turnsAround(store, span, scope)
  const events = scope.scope === undefined && scope.personal ? await eventsAround(store, span, scope) : { before: null, after: null }
  const day = (at: number | null) => (at === null ? null : wallClock(at, scope.timezone).day)
  const [before, after] = [
    [day(turns.before), events.before],
    [day(turns.after), events.after],
  ].map((days) => days.filter((one) => one !== null).sort())
  return { before: before?.at(-1) ?? null, after: after?.[0] ?? null }
}

async function turnsAround({ read }: Store, { from, to }: AskedSpan, { agentId, scope }: Scope): Promise<Around<number>> {
  let query = read
    .selectFrom('agent_turns as t')
    .innerJoin('agent_sessions as s', 's.id', 't.session_id')
    .where('s.status', '<>', 'deleted')
    .where('s.is_subagent', '=', 0)
    .where('t.status', '<>', 'superseded')
  if (agentId !== 'all') query = query.where('s.agent_id', '=', agentId)
  if (scope !== undefined)
    query = query.where((eb) =>
      eb.or([
        eb(eb.fn.coalesce('s.repository', 's.project'), 'in', scope.keys),
        eb('s.workspace_path', 'in', scope.folders),
        eb('s.id', 'in', scope.ids),
      ]),
    )
  const before = await query
    .where('t.timestamp', '<', from)
    .select((eb) => eb.fn.max('t.timestamp').as('at'))
    .executeTakeFirst()
  const after = await query
    .where('t.timestamp', '>=', to)
    .select((eb) => eb.fn.min('t.timestamp').as('at'))
    .executeTakeFirst()
  return { before: before?.at ?? null, after: after?.at ?? null }
}

async function eventsAround({ read }: Store, { from, to }: AskedSpan, { agentId, timezone }: Scope): Promise<Around<string>> {
  let query = read
    .selectFrom('events')
    .select(['channel', 'timestamp', 'metadata_json'])
    .where('source_adapter', 'not in', ['aix-events', 'derived'])
    .limit(LOOKED_AT)
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  const [first, last] = [wallClock(from, timezone).day, wallClock(to - 1, timezone).day]
  const daysOf = (rows: readonly EventDay[]) => rows.flatMap((row) => dayOf(row, timezone) ?? []).sort()
  // A calendar day may begin on the day before in the owner's zone.
  const earlier = daysOf(await query.where('timestamp', '<', to).orderBy('timestamp', 'desc').execute())
  const later = daysOf(await query.where('timestamp', '>=', from).orderBy('timestamp').execute())
  return { before: earlier.filter((day) => day < first).at(-1) ?? null, after: later.find((day) => day > last) ?? null }
}

type EventDay = Pick<Selectable<EventsTable>, 'channel' | 'timestamp' | 'metadata_json'>

function dayOf({ channel, timestamp, metadata_json }: EventDay, timezone: string): string | undefined {
  const { status, all_day, start_date } = channel === CALENDAR ? meetingOf(metadata_json) : {}
  if (status === 'cancelled') return undefined
  return all_day === true && typeof start_date === 'string' ? start_date : wallClock(timestamp, timezone).day
}
