import { MnemonicError } from '../../core/error.ts'
import { episodeIdOfPath } from '../../index/episode-document.ts'
import { normalHandle } from '../../ledgers/people/handle.ts'
import { saidInSeries } from '../../ledgers/series-parts.ts'
import { episodeCalled } from '../../ledgers/short-episode-ids.ts'
import type { Store } from '../../store/store.ts'
import { addForgotten, addHit, addPieces, addTitlePiece, addValue, count, newSelection, type Selection } from './selection.ts'

export const EVENT = ['id', 'content', 'timestamp', 'thread_id', 'source_adapter', 'metadata_json'] as const

interface EventRow {
  readonly id: string
  readonly content: string | null
  readonly timestamp: number
  readonly thread_id: string | null
  readonly source_adapter: string
  readonly metadata_json: string | null
}

export async function findEvent(store: Store, named: string): Promise<Selection> {
  const selection = newSelection()
  const event = await eventCalled(store, named)
  if (event === undefined) throw notFound('event', 'mnemonic show lists them with --json; a whole conversation is forgotten with --thread')
  addEvent(selection, event)
  return selection
}

export async function findEpisode(store: Store, named: string): Promise<Selection> {
  const selection = newSelection()
  const id = (await episodeNamed(store, named)) ?? (await episodeOf(store, named))
  if (id === undefined) throw notFound('episode', 'List them with: mnemonic episodes')
  const events = await store.read
    .selectFrom('episode_members as m')
    .innerJoin('events as e', 'e.id', 'm.event_id')
    .select(EVENT.map((column) => `e.${column}` as const))
    .where('m.episode_id', '=', id)
    .orderBy('m.position')
    .execute()
  if (events.length === 0) throw ofAgents()
  for (const event of events) addEvent(selection, event)
  return selection
}

/** Accepts the id of the thread or of any part. */
export async function findThread(store: Store, named: string): Promise<Selection> {
  const selection = newSelection()
  const thread = await store.read.selectFrom('threads').select('id').where('id', '=', named).executeTakeFirst()
  if (thread !== undefined) {
    await addThread(store, selection, thread.id)
    return selection
  }
  const episode = await episodeNamed(store, named)
  const event = await (episode === undefined ? eventCalled(store, named) : firstOf(store, episode))
  if (event === undefined) throw notFound('conversation', 'mnemonic show --json has its thread_id; mnemonic episodes lists what there is')
  // A meeting must not select its whole calendar.
  if (event.thread_id === null || (await isCalendar(store, event.thread_id))) addEvent(selection, event)
  else await addThread(store, selection, event.thread_id)
  return selection
}

/** Selects messages from the person and those to nobody else. */
export async function findContact(store: Store, named: string): Promise<Selection> {
  const selection = newSelection()
  const { handles, names } = await personCalled(store, named)
  if (handles.size === 0)
    throw notFound('person', 'Give an address, a number, or the whole name as it stands in messages or in the address book.')
  for (const value of [...handles, ...names]) addValue(selection, value)
  for (const name of names) addTitlePiece(selection, name)
  const seen = new Set<string>()
  for (const handle of handles) {
    const met = store.read.selectFrom('event_people as p').innerJoin('events as e', 'e.id', 'p.event_id')
    const columns = [...EVENT.map((column) => `e.${column}` as const), 'e.direction', 'p.role'] as const
    for (const { role, direction, ...event } of await met.select(columns).where('p.handle', '=', handle).execute()) {
      if (seen.has(event.id)) continue
      const wrote = role === 'from' || role === 'organizer'
      if (!wrote && !(direction === 'sent' && (await isOnlyTo(store, event.id, handles)))) {
        count(selection, 'value', 'event_people')
        continue
      }
      seen.add(event.id)
      addEvent(selection, event)
    }
    const cards = await store.read.selectFrom('contacts').select('handle').where('handle', '=', handle).execute()
    for (const _ of cards) count(selection, 'value', 'contacts')
  }
  return selection
}

function notFound(what: string, hint: string): MnemonicError {
  return new MnemonicError('NOT_FOUND', `there is no such ${what}`, { hint })
}

function ofAgents(): MnemonicError {
  return new MnemonicError('USAGE', 'that is a part of a session', { hint: 'Forget it with --turn or --session.' })
}

async function eventCalled(store: Store, id: string): Promise<EventRow | undefined> {
  return store.read.selectFrom('events').select(EVENT).where('id', '=', id).executeTakeFirst()
}

/** By id, short id or document path. */
function episodeNamed(store: Store, named: string): Promise<string | undefined> {
  return episodeCalled(store, episodeIdOfPath(named) ?? named)
}

async function episodeOf(store: Store, event: string): Promise<string | undefined> {
  const row = await store.read.selectFrom('episode_members').select('episode_id').where('event_id', '=', event).executeTakeFirst()
  return row?.episode_id
}

async function firstOf(store: Store, episode: string): Promise<EventRow | undefined> {
  const row = await store.read.selectFrom('episodes').select('first_event_id').where('id', '=', episode).executeTakeFirst()
  if (typeof row?.first_event_id !== 'string') return undefined
  const event = await eventCalled(store, row.first_event_id)
  if (event === undefined) throw ofAgents()
  return event
}

async function isCalendar(store: Store, thread: string): Promise<boolean> {
  const row = await store.read.selectFrom('threads').select(['channel', 'metadata_json']).where('id', '=', thread).executeTakeFirst()
  return row?.channel === 'calendar' && row.metadata_json?.includes('"series":true') !== true
}

export function addEvent(selection: Selection, { id, content, timestamp, source_adapter }: EventRow): void {
  if (source_adapter === 'aix-events') throw ofAgents()
  addForgotten(selection, { kind: 'event', id })
  addHit(selection, { kind: 'event', session: undefined, message: undefined, event: id, at: timestamp, text: content ?? '' })
  count(selection, 'event', 'events')
  addPieces(selection, content)
}

/** `seen`: parts that both calendar and series reach. */
async function addThread(store: Store, selection: Selection, id: string, seen: Set<string> = new Set()): Promise<void> {
  if (id.startsWith('aix_session:')) throw ofAgents()
  const thread = await store.read.selectFrom('threads').select(['name', 'source_id']).where('id', '=', id).executeTakeFirstOrThrow()
  addForgotten(selection, { kind: 'thread', id })
  count(selection, 'thread', 'threads')
  addTitlePiece(selection, thread.name)
  const events = await store.read.selectFrom('events').select(EVENT).where('thread_id', '=', id).orderBy('timestamp').execute()
  for (const event of events) {
    addEvent(selection, event)
    // A later mail may name any of them as the thread's first.
    if (event.source_adapter === 'gmail')
      for (const other of [event.id, ...threadKeyIn(event.metadata_json)]) addForgotten(selection, { kind: 'thread', id: other })
  }
  const parts = store.read.selectFrom('series_parts').select(['series', 'part', 'body_json'])
  const of = parts.where((eb) =>
    eb.or([eb('thread_id', '=', id), ...(id.startsWith('calendar:') ? [eb('series', '=', thread.source_id)] : [])]),
  )
  for (const { series, part, body_json } of await of.execute()) {
    const event = `calendar:${series}${part === '' ? '' : `/${part}`}`
    if (seen.has(event)) continue
    seen.add(event)
    addForgotten(selection, { kind: 'event', id: event })
    count(selection, 'event', 'series_parts')
    for (const said of saidInSeries(body_json)) addPieces(selection, said)
  }
  const children = await store.read.selectFrom('threads').select('id').where('parent_thread_id', '=', id).execute()
  for (const child of children) await addThread(store, selection, child.id, seen)
}

function threadKeyIn(metadata: string | null): string[] {
  const { thread_key: key } = JSON.parse(metadata ?? '{}') as { thread_key?: unknown }
  return typeof key === 'string' && key !== '' ? [`gmail:${key}`] : []
}

async function personCalled(store: Store, named: string): Promise<{ handles: Set<string>; names: Set<string> }> {
  const handle = normalHandle(named)
  const wanted = fold(named)
  const handles = new Set<string>()
  for (const table of ['contacts', 'event_people'] as const) {
    const known = await store.read.selectFrom(table).select('handle').distinct().where('handle', '=', handle).execute()
    for (const row of known) handles.add(row.handle)
    const called = await store.read.selectFrom(table).select(['handle', 'name']).distinct().where('name', 'is not', null).execute()
    for (const row of called) if (fold(row.name ?? '') === wanted) handles.add(row.handle)
  }
  const names = new Set<string>()
  for (const table of ['contacts', 'event_people'] as const) {
    const rows =
      handles.size === 0
        ? []
        : await store.read
            .selectFrom(table)
            .select('name')
            .distinct()
            .where('handle', 'in', [...handles])
            .execute()
    for (const { name } of rows) if (name) names.add(name)
  }
  return { handles, names }
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ')
}

async function isOnlyTo(store: Store, event: string, handles: ReadonlySet<string>): Promise<boolean> {
  const people = await store.read.selectFrom('event_people').select(['role', 'handle']).where('event_id', '=', event).execute()
  return people.every(({ role, handle }) => role === 'from' || role === 'organizer' || handles.has(handle))
}
