/** Sessions, commits, meetings and conversations in order of time. Redacted. */
import { toIso, wallClock } from '../../core/time.ts'
import { projectCalled } from '../../ingest/project-called.ts'
import { DERIVED } from '../../ledgers/derived-events.ts'
import { shortEpisodeIds } from '../../ledgers/short-episode-ids.ts'
import type { PersonalSetting } from '../../search/personal-scope.ts'
import type { Store } from '../../store/store.ts'
import { redactText } from '../redact-stored.ts'
import { statedWords } from '../stated-words.ts'
import { type AskedSpan, askedSpan, type SpanRequest } from './asked-span.ts'
import { conversationEntries } from './conversations.ts'
import type { TimelineEntry, TimelineStatement } from './entry.ts'
import { meetingEntries } from './meetings.ts'
import { nearestDays } from './nearest-days.ts'
import { sessionEntries, type TimelineOptions } from './sessions.ts'

export interface TimelineRequest extends SpanRequest {
  /** Sessions and commits of a project; meetings and messages have none. */
  readonly project?: string
  /** Only entries that name this entity, or in which that person takes part. */
  readonly entity?: string
  readonly agent?: string
  /** For agents in a project: personal entries only for a named entity, or never. Default all. */
  readonly personal?: PersonalSetting
}

export interface TimelineAnswer {
  readonly from: string
  /** Exclusive. */
  readonly to: string
  readonly timezone: string
  readonly days: readonly TimelineDay[]
  /** Nearest days with content if these have none; else null. */
  readonly nearest: { readonly before: string | null; readonly after: string | null } | null
}

export interface TimelineDay {
  readonly day: string
  readonly entries: readonly TimelineEntry[]
}

export async function timeline(
  store: Store,
  request: TimelineRequest,
  given: Omit<TimelineOptions, 'project' | 'entity'>,
): Promise<TimelineAnswer> {
  const { timezone } = given
  const span = askedSpan(request, { timezone, now: given.clock() })
  const agentId = request.agent ?? given.agentId
  const entity = request.entity === undefined ? undefined : await entityNamed(store, request.entity, agentId)
  const options = { ...given, agentId, project: request.project, entity }
  const sessions = await sessionEntries(store, span, options)
  const ofPeople =
    request.project === undefined && readsPersonal(request)
      ? [...(await meetingEntries(store, span, options)), ...(await conversationEntries(store, span, options))]
      : []
  const entries = await withIds(store, await withStatements(store, span, [...sessions, ...ofPeople], timezone))
  const days = byDay(entries)
  const sessionsOf = request.project === undefined ? undefined : await projectCalled(store, request.project)
  return {
    ...{ from: toIso(span.from), to: toIso(span.to), timezone, days },
    nearest: days.length > 0 ? null : await nearestDays(store, span, { ...options, scope: sessionsOf, personal: readsPersonal(request) }),
  }
}

function readsPersonal({ personal = 'always', entity }: TimelineRequest): boolean {
  return personal === 'always' || (personal === 'named' && entity !== undefined)
}

async function entityNamed(store: Store, name: string, agentId: string) {
  return (await import('../../graph/read/entity-scope.ts')).entityScope(store, name, agentId)
}

function byDay(entries: readonly TimelineEntry[]): TimelineDay[] {
  const days = new Map<string, TimelineEntry[]>()
  const order = [...entries].sort((a, b) => order3(a.day, b.day) || Number(b.all_day) - Number(a.all_day) || order3(a.from, b.from))
  for (const entry of order) days.set(entry.day, [...(days.get(entry.day) ?? []), entry])
  return [...days].map(([day, of]) => ({ day, entries: of }))
}

function order3(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A statement appears with its session or episode, on the day it was made. */
async function withStatements(store: Store, { from, to }: AskedSpan, entries: TimelineEntry[], timezone: string): Promise<TimelineEntry[]> {
  const rows = await store.read
    .selectFrom('events as e')
    .innerJoin('derived_sources as s', 's.event_id', 'e.id')
    .select(['e.id', 'e.timestamp', 'e.content', 'e.trust', 'e.source_id', 'e.metadata_json', 's.unit'])
    .where('e.source_adapter', '=', DERIVED)
    .where('e.timestamp', '>=', from)
    .where('e.timestamp', '<', to)
    .orderBy('e.timestamp')
    .orderBy('e.id')
    .execute()
  const of = new Map<string, TimelineStatement[]>()
  for (const { id, timestamp, content, trust, source_id, metadata_json, unit } of rows) {
    const key = `${wallClock(timestamp, timezone).day} ${unit}`
    const type = source_id.slice(source_id.lastIndexOf(':') + 1)
    const words = statedWords(content, metadata_json)
    const statement = { event_id: id, type, at: toIso(timestamp), content: redactText(content ?? ''), words, trust }
    of.set(key, [...(of.get(key) ?? []), statement])
  }
  return entries.map((entry) => {
    const statements = of.get(`${entry.day} ${entry.session_id ?? entry.episode_id ?? ''}`)
    return statements === undefined ? entry : { ...entry, statements }
  })
}

async function withIds(store: Store, entries: readonly TimelineEntry[]): Promise<TimelineEntry[]> {
  const short = await shortEpisodeIds(
    store,
    entries.flatMap(({ id, episode_id }) => (id === null && episode_id !== null ? [episode_id] : [])),
  )
  return entries.map((entry) => ({ ...entry, id: entry.id ?? short.get(entry.episode_id ?? '') ?? null }))
}
