import type { Kysely } from 'kysely'
import { inRuns } from '../core/in-runs.ts'
import { padded } from '../core/padded.ts'
import { DEFINITIONS } from '../episodes/definitions.ts'
import { namesOf } from '../ledgers/people/names-of.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { Tables } from '../store/tables.ts'
import { INDEXED_DOCUMENT } from './document.ts'

export interface EpisodeRow {
  readonly id: string
  readonly channel: string
  readonly agent_id: string
  readonly start_time: number
  readonly end_time: number
  readonly event_count: number
  readonly thread_id: string | null
  readonly thread_name: string | null
}

export interface EventRow {
  readonly id: string
  readonly timestamp: number
  readonly content: string | null
  readonly direction: 'sent' | 'received' | 'observed'
  readonly speaker: string | null
  readonly trust: string
  readonly metadata_json: string | null
  /** The document was full, so the text was not read. */
  readonly leftOut?: boolean
}

export interface PersonRow {
  readonly event_id: string
  readonly role: string
  readonly handle: string
  readonly name: string | null
}

export interface EpisodeParts {
  readonly episode: EpisodeRow
  readonly events: readonly EventRow[]
  readonly people: readonly PersonRow[]
  /** By handle. */
  readonly names: ReadonlyMap<string, string>
}

/** One document per text: a channel's built-in definition wins. */
export const BUILT_IN = DEFINITIONS.map(({ name }) => name)
export const SPOKEN_FOR = DEFINITIONS.flatMap(({ channel }) => channel ?? [])

/** Sessions and turns have their own documents. */
export const HUMAN_STRATEGIES = ['time_gap', 'thread', 'single_event'] as const

export type KnownNames = Map<string, string | undefined>

/** Omits agents' episodes. */
export async function episodeRows(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, EpisodeRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('episodes as e')
    .innerJoin('episode_definitions as d', 'd.id', 'e.definition_id')
    .leftJoin('threads as t', 't.id', 'e.thread_id')
    .select(['e.id', 'e.channel', 'e.agent_id', 'e.start_time', 'e.end_time', 'e.event_count', 'e.thread_id', 't.name as thread_name'])
    .where('e.id', 'in', padded(ids))
    .where('d.strategy', 'in', HUMAN_STRATEGIES)
    .where((eb) => eb.or([eb('d.id', 'in', BUILT_IN), eb('e.channel', 'not in', SPOKEN_FOR)]))
    .execute()
  return new Map(rows.flatMap(({ channel, ...row }) => (channel === null ? [] : [[row.id, { ...row, channel }] as const])))
}

export async function episodeParts(db: Kysely<Tables>, id: string, known: KnownNames): Promise<EpisodeParts | undefined> {
  return (await partsInOrder(db, [id], known))(id)
}

/** Batches sequential calls; caches nothing. */
export async function partsInOrder(
  db: Kysely<Tables>,
  ids: readonly string[],
  known: KnownNames,
): Promise<(id: string) => Promise<EpisodeParts | undefined>> {
  const rows = await episodeRows(db, ids)
  const there = ids.flatMap((id) => rows.get(id) ?? [])
  const runs = inRuns(there, ({ channel, event_count }) => event_count * (channel === 'imessage' ? 1 : LONGER), EVENTS_AT_ONCE)
  const runOf = new Map(runs.flatMap((run) => run.map(({ id }) => [id, run] as const)))
  let read = new Map<string, EpisodeParts>()
  return async (id) => {
    const run = runOf.get(id)
    if (run === undefined) return undefined
    if (!read.has(id)) read = await readParts(db, run, known)
    const parts = read.get(id)
    read.delete(id)
    return parts
  }
}

async function readParts(db: Kysely<Tables>, episodes: readonly EpisodeRow[], known: KnownNames): Promise<Map<string, EpisodeParts>> {
  const ids = episodes.map(({ id }) => id)
  const events = ids.length === 1 ? new Map([[ids[0] as string, await eventsOf(db, ids[0] as string)]]) : await eventsOfSome(db, ids)
  const people = await peopleOf(db, ids)
  const names = await namesFor(db, [...people.values()].flat(), known)
  return new Map(
    episodes.map((episode) => {
      const { id } = episode
      return [id, { episode, events: events.get(id) ?? [], people: people.get(id) ?? [], names }]
    }),
  )
}

async function eventsOf(db: Kysely<Tables>, id: string): Promise<EventRow[]> {
  const take = filling()
  for (let last = -1; ; ) {
    const page = await eventsAfter(db, { id, last })
    for (const { position, ...event } of page) {
      take.add(event)
      last = position
    }
    if (page.length < EVENTS_AT_ONCE) return take.events
  }
}

/** The caller bounds the events. */
async function eventsOfSome(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, EventRow[]>> {
  const rows = await db
    .selectFrom('episode_members as o')
    .innerJoin('events as e', 'e.id', 'o.event_id')
    .select(['o.episode_id', 'e.id', 'e.timestamp', 'e.content', 'e.direction', 'e.speaker', 'e.trust', 'e.metadata_json'])
    .where('o.episode_id', 'in', padded(ids))
    .orderBy('o.episode_id')
    .orderBy('o.position')
    .execute()
  const of = new Map(ids.map((id) => [id, filling()]))
  for (const { episode_id, ...event } of rows) of.get(episode_id)?.add(event)
  return new Map([...of].map(([id, { events }]) => [id, events]))
}

/** Drops text of a full document. */
function filling(): { readonly events: EventRow[]; add(event: EventRow): void } {
  const events: EventRow[] = []
  let room = INDEXED_DOCUMENT
  return {
    events,
    add(event) {
      const leftOut = room <= 0 && event.content !== null
      events.push(leftOut ? { ...event, content: null, leftOut } : event)
      room -= event.content?.length ?? 0
    },
  }
}

async function namesFor(db: Kysely<Tables>, people: readonly PersonRow[], known: KnownNames): Promise<Map<string, string>> {
  const handles = [...new Set(people.map(({ handle }) => handle))]
  const unknown = handles.filter((handle) => !known.has(handle))
  if (unknown.length > 0) {
    const found = await namesOf(db, unknown)
    for (const handle of unknown) known.set(handle, found.get(handle))
  }
  return new Map(handles.flatMap((handle) => (known.get(handle) === undefined ? [] : [[handle, known.get(handle) as string] as const])))
}

/** Events per query, to bound memory. */
const EVENTS_AT_ONCE = 64
/** Weight of a mail: it may be long, and a batch stays in memory. */
const LONGER = 8

const eventsAfter = compiledOnce((db, { id, last }: { id: string; last: number }) =>
  db
    .selectFrom('episode_members as o')
    .innerJoin('events as e', 'e.id', 'o.event_id')
    .select(['o.position', 'e.id', 'e.timestamp', 'e.content', 'e.direction', 'e.speaker', 'e.trust', 'e.metadata_json'])
    .where('o.episode_id', '=', id)
    .where('o.position', '>', last)
    .orderBy('o.position')
    .limit(EVENTS_AT_ONCE),
)

async function peopleOf(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, PersonRow[]>> {
  const rows = await db
    .selectFrom('episode_members as o')
    .innerJoin('event_people as p', 'p.event_id', 'o.event_id')
    .select(['o.episode_id', 'p.event_id', 'p.role', 'p.handle', 'p.name'])
    .where('o.episode_id', 'in', padded(ids))
    .orderBy('o.episode_id')
    .orderBy('o.position')
    .orderBy('p.role')
    .orderBy('p.handle')
    .execute()
  const of = new Map<string, PersonRow[]>(ids.map((id) => [id, []]))
  for (const { episode_id, ...person } of rows) of.get(episode_id)?.push(person)
  return of
}
