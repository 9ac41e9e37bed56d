import { oneLine } from '../../core/text.ts'
import { toIso, wallClock } from '../../core/time.ts'
import { eventIdsNaming } from '../../graph/read/entity-scope.ts'
import type { Store } from '../../store/store.ts'
import { redactText } from '../redact-stored.ts'
import { othersOf, shownPeople, withSenders } from '../shown-people.ts'
import type { AskedSpan } from './asked-span.ts'
import type { TimelineEntry } from './entry.ts'
import type { TimelineOptions } from './sessions.ts'

/** Derived from sessions or other entries. */
const NOT_OF_PEOPLE = ['aix-events', 'derived']
const MEETINGS = 'calendar'
const LONGEST_TITLE = 200

interface Conversation {
  readonly day: string
  readonly channel: string
  readonly thread: string | null
  readonly episode: string | null
  from: number
  to: number
  readonly events: string[]
}

export async function conversationEntries(store: Store, { from, to }: AskedSpan, options: TimelineOptions): Promise<TimelineEntry[]> {
  let query = store.read
    .selectFrom('events')
    .select(['id', 'timestamp', 'channel', 'thread_id', 'direction'])
    .where('timestamp', '>=', from)
    .where('timestamp', '<', to)
    .where('source_adapter', 'not in', NOT_OF_PEOPLE)
    .where('channel', '<>', MEETINGS)
  if (options.agentId !== 'all') query = query.where('agent_id', '=', options.agentId)
  if (options.entity !== undefined) query = query.where('id', 'in', eventIdsNaming(store.read, options.entity))
  const events = await query.orderBy('timestamp').orderBy('id').execute()
  const episodes = await episodesOf(store, { from, to })
  const found = new Map<string, Conversation>()
  for (const { id, timestamp, channel, thread_id: thread } of events) {
    const { day } = wallClock(timestamp, options.timezone)
    const episode = episodes.get(id) ?? null
    const key = `${day} ${episode ?? thread ?? id}`
    const known = found.get(key) ?? { day, channel, thread, episode, from: timestamp, to: timestamp, events: [] }
    known.to = timestamp
    known.events.push(id)
    found.set(key, known)
  }
  const names = await threadNames(store, [...found.values()])
  const people = await shownPeople(store, events)
  const own = withSenders(options.own, events, people)
  return [...found.values()].map((one) => ({
    ...{ kind: 'conversation', day: one.day, from: toIso(one.from), to: toIso(one.to), all_day: false, channel: one.channel },
    title: names.get(one.thread ?? '') ?? null,
    ...{ id: null, session_id: null, episode_id: one.episode, project_name: null, count: one.events.length },
    ...{ active_ms: one.to - one.from, location: null, commits: [], statements: [] },
    people: othersOf(
      one.events.flatMap((id) => people.get(id) ?? []),
      own,
    ),
  }))
}

async function episodesOf({ read }: Store, { from, to }: AskedSpan): Promise<Map<string, string>> {
  const rows = await read
    .selectFrom('events as v')
    .innerJoin('episode_members as m', 'm.event_id', 'v.id')
    .innerJoin('episodes as e', 'e.id', 'm.episode_id')
    .innerJoin('episode_definitions as d', 'd.id', 'e.definition_id')
    .select(['m.event_id', 'm.episode_id'])
    .where('v.timestamp', '>=', from)
    .where('v.timestamp', '<', to)
    .where('d.strategy', 'in', ['time_gap', 'thread'])
    .execute()
  return new Map(rows.map(({ event_id, episode_id }) => [event_id, episode_id]))
}

async function threadNames({ read }: Store, found: readonly Conversation[]): Promise<Map<string, string>> {
  const ids = [...new Set(found.flatMap(({ thread }) => (thread === null ? [] : [thread])))]
  const names = new Map<string, string>()
  for (let from = 0; from < ids.length; from += 400) {
    const rows = await read
      .selectFrom('threads')
      .select(['id', 'name'])
      .where('id', 'in', ids.slice(from, from + 400))
      .execute()
    for (const { id, name } of rows) if (name !== null && name !== '') names.set(id, oneLine(redactText(name), LONGEST_TITLE))
  }
  return names
}
