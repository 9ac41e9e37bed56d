/** What the document of an episode is made of: its thread, its events in their order, who took part. Reads only. */
import type { Kysely } from 'kysely'
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
  /** The events before it fill the document, so its text was not even read. */
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
  /** Of handles. */
  readonly names: ReadonlyMap<string, string>
}

/** How the events of people are grouped. The episodes of sessions and turns have the documents of those. */
export const HUMAN_STRATEGIES = ['time_gap', 'thread', 'single_event'] as const

/** Names that were looked up already, kept by who asks for them. */
export type KnownNames = Map<string, string | undefined>

/** Undefined where there is no such episode, or where it is none of people's. */
export async function episodeRow(db: Kysely<Tables>, id: string): Promise<EpisodeRow | undefined> {
  const [row] = await episodeOf(db, { id })
  return row === undefined || row.channel === null ? undefined : { ...row, channel: row.channel }
}

/** Undefined likewise. */
export async function episodeParts(db: Kysely<Tables>, id: string, known: KnownNames): Promise<EpisodeParts | undefined> {
  const episode = await episodeRow(db, id)
  if (episode === undefined) return undefined
  const events: EventRow[] = []
  let room = INDEXED_DOCUMENT
  for (let last = -1; ; ) {
    const page = await eventsAfter(db, { id, last })
    for (const { position, ...event } of page) {
      const leftOut = room <= 0 && event.content !== null
      events.push(leftOut ? { ...event, content: null, leftOut } : event)
      room -= event.content?.length ?? 0
      last = position
    }
    if (page.length < EVENTS_AT_ONCE) break
  }
  const people = await peopleOf(db, { id })
  return { episode, events, people, names: await namesFor(db, people, known) }
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

/** Mails may be long: few at a time are in memory. */
const EVENTS_AT_ONCE = 50

const episodeOf = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('episodes as e')
    .innerJoin('episode_definitions as d', 'd.id', 'e.definition_id')
    .leftJoin('threads as t', 't.id', 'e.thread_id')
    .select(['e.id', 'e.channel', 'e.agent_id', 'e.start_time', 'e.end_time', 'e.thread_id', 't.name as thread_name'])
    .where('e.id', '=', id)
    .where('d.strategy', 'in', HUMAN_STRATEGIES),
)

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

const peopleOf = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('episode_members as o')
    .innerJoin('event_people as p', 'p.event_id', 'o.event_id')
    .select(['p.event_id', 'p.role', 'p.handle', 'p.name'])
    .where('o.episode_id', '=', id)
    .orderBy('o.position')
    .orderBy('p.role')
    .orderBy('p.handle'),
)
