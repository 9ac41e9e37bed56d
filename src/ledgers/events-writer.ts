/** The only writer of the events ledger. */
import type { Insertable, Selectable } from 'kysely'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import type { EventsTable, ThreadsTable } from '../store/tables.ts'
import { type Tombstones, tombstonesOf } from '../tombstones/tombstones.ts'
import { jsonWithoutForgotten } from '../tombstones/without-forgotten.ts'
import type { EventPerson, EventRecord, OneEventRecord, ThreadRecord } from './event-record.ts'
import { eventMetadataWithoutForgotten, isForgottenEvent, nameWithoutForgotten, threadIdWithoutForgotten } from './forgotten-events.ts'
import { unitedMail } from './mail/mail-copies.ts'
import { peopleOf, putPeople, samePeople } from './people/event-people.ts'
import { putSeriesPart, replacesRule } from './series-parts.ts'

type Thread = Selectable<ThreadsTable>
type NewThread = Insertable<ThreadsTable>
type NewEvent = Insertable<EventsTable> & {
  readonly people: readonly EventPerson[]
  readonly version: string | undefined
  readonly mail: OneEventRecord['mail']
}

export interface EventsWriterOptions {
  readonly adapter: string
  /** The unit is the whole thread: other events of the thread are deleted. */
  readonly whole?: string | undefined
}

export function eventsWriter({ adapter, whole }: EventsWriterOptions) {
  const seen = new Set<string>()
  const waiting = new Map<string, NewThread>()
  let changed = false

  /** Every mail repeats its thread: the last data wins, except the start time. */
  function remember(thread: NewThread): void {
    const { created_at = thread.created_at } = waiting.get(thread.id) ?? {}
    waiting.set(thread.id, { ...thread, created_at: Math.min(created_at, thread.created_at) })
  }

  async function threadOf(tx: WriteTx, { thread_id: id }: NewEvent): Promise<void> {
    await putWaiting(tx, id)
  }

  /** Parents first. */
  async function putWaiting(tx: WriteTx, id: string | null | undefined): Promise<void> {
    const thread = typeof id === 'string' ? waiting.get(id) : undefined
    if (thread === undefined) return
    waiting.delete(thread.id)
    await putWaiting(tx, thread.parent_thread_id)
    await putThread(tx, thread)
  }

  return {
    async apply(tx: WriteTx, records: readonly EventRecord[]): Promise<{ added: number; repeated: number }> {
      const tombstones = await tombstonesOf(tx)
      const events: NewEvent[] = []
      let added = 0
      for (const record of records) {
        if (record.type === 'thread') remember(threadWithoutForgotten(threadRow(record, adapter), tombstones))
        else if (record.type === 'series_part') added += (await putSeriesPart(tx, record, { adapter, tombstones })) ? 1 : 0
        else events.push(...withoutForgotten(eventRow(record, adapter), tombstones))
      }
      const stored = await storedEvents(tx, adapter, events)
      const people = await peopleOf(
        tx,
        [...stored.values()].map(({ id }) => id),
      )
      let repeated = 0
      for (const given of newestOf(events)) {
        if (whole !== undefined) seen.add(given.source_id)
        const before = stored.get(given.source_id)
        // Events derived from the ledger are always newest; their version is their source's.
        if ((whole === undefined && isOlder(given, before)) || !(await replacesRule(tx, given))) continue
        const met = before === undefined ? [] : (people.get(before.id) ?? [])
        const event = before === undefined ? given : united(given, before, met)
        if (before !== undefined && given.mail) repeated += 1
        if (before === undefined || !isSame(event, before) || !samePeople(event.people, met)) {
          if (before === undefined) added += 1
          await threadOf(tx, event)
          await putEvent(tx, event)
          await putPeople(tx, before?.id ?? event.id, event.people, met)
          changed = true
          stored.set(event.source_id, rowOf({ ...event, id: before?.id ?? event.id }))
          people.set(before?.id ?? event.id, [...event.people])
        }
      }
      // Every mail repeats its thread, so keep it only for the batch.
      for (const { mail, thread_id } of events) if (mail && typeof thread_id === 'string') waiting.delete(thread_id)
      return { added, repeated }
    },
    async finish(tx: WriteTx): Promise<void> {
      if (whole === undefined) return
      const { left, removed } = await removeEvents(tx, { adapter, thread: whole, except: seen })
      changed ||= removed > 0
      // Titles and projects may arrive after the last event.
      if (left > 0) for (const id of [...waiting.keys()]) await putWaiting(tx, id)
    },
    changed: () => changed,
  }
}

export async function removeThread(tx: WriteTx, adapter: string, thread: string): Promise<boolean> {
  return (await removeEvents(tx, { adapter, thread, except: new Set() })).removed > 0
}

function threadRow(record: ThreadRecord, adapter: string): NewThread {
  const { id, channel, name = null, sourceId, parentThread = null, agentId, metadata, createdAt, updatedAt } = record
  return {
    ...{ id, channel, name, source_adapter: adapter, source_id: sourceId, parent_thread_id: parentThread, agent_id: agentId },
    ...{ metadata_json: metadata === undefined ? null : JSON.stringify(metadata), created_at: createdAt, updated_at: updatedAt },
  }
}

function eventRow(record: OneEventRecord, adapter: string): NewEvent {
  const { id, timestamp, channel, contentTypes, content, direction, thread = null, replyTo = null, sourceId } = record
  const { speaker = null, trust, agentId, metadata, people = [], ownWords, version, mail } = record
  const said = ownWords === undefined ? metadata : { ...metadata, own_words: ownWords }
  return {
    ...{ people, version, mail },
    ...{ id, timestamp, channel, content_types: JSON.stringify(contentTypes), content, direction, thread_id: thread, reply_to: replyTo },
    ...{ source_adapter: adapter, source_id: sourceId, speaker, trust, agent_id: agentId },
    metadata_json: said === undefined ? null : JSON.stringify(said),
  }
}

async function storedEvents(tx: WriteTx, adapter: string, events: readonly NewEvent[]): Promise<Map<string, Selectable<EventsTable>>> {
  const ids = events.map((event) => event.source_id)
  if (ids.length === 0) return new Map()
  const rows = await tx.db.selectFrom('events').selectAll().where('source_adapter', '=', adapter).where('source_id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.source_id, row]))
}

/** On equal versions the last wins. Unversioned events all count. */
function newestOf(events: readonly NewEvent[]): NewEvent[] {
  const newest = new Map<string, NewEvent>()
  for (const event of events) {
    const other = newest.get(event.source_id)
    if (event.version !== undefined && (other?.version ?? '') <= event.version) newest.set(event.source_id, event)
  }
  return events.filter((event) => event.version === undefined || newest.get(event.source_id) === event)
}

/** An older copy of a source must not undo edits or unsent messages. */
function isOlder({ version = '' }: NewEvent, before: Selectable<EventsTable> | undefined): boolean {
  if (before?.metadata_json?.includes('"version"') !== true) return false
  const { version: stored } = JSON.parse(before.metadata_json) as { version?: unknown }
  return typeof stored === 'string' && version < stored
}

function united(event: NewEvent, before: Selectable<EventsTable>, met: readonly EventPerson[]): NewEvent {
  const { mail, people, version, ...row } = event
  if (mail === undefined) return event
  const { row: one, people: all } = unitedMail({ row, people }, { row: before, people: met }, mail.owners)
  return { ...one, people: all, mail, version }
}

function rowOf({ people: _, mail: __, version: ___, ...row }: NewEvent): Selectable<EventsTable> {
  return row as Selectable<EventsTable>
}

function isSame({ id: _, people: __, mail: ___, version: ____, ...event }: NewEvent, stored: Selectable<EventsTable>): boolean {
  return (Object.keys(event) as (keyof typeof event)[]).every((key) => (event[key] ?? null) === stored[key])
}

/** Upserts; extends the thread's time range. */
async function putThread(tx: WriteTx, given: NewThread): Promise<void> {
  const tombstones = await tombstonesOf(tx)
  const hidden = (): Partial<NewThread> =>
    tombstones === undefined ? {} : { name: visible(given.name, tombstones), metadata_json: clean(given.metadata_json, tombstones) }
  await upsertThread(tx.db, { ...given, ...hidden() } as Selectable<ThreadsTable>)
}

const upsertThread = compiledOnce(
  (db, { id, channel, name, source_adapter, source_id, parent_thread_id, agent_id, metadata_json, created_at, updated_at }: Thread) => {
    const row = {
      ...{ id, channel, name, source_adapter, source_id, parent_thread_id, agent_id },
      ...{ metadata_json, created_at, updated_at },
    }
    return db
      .insertInto('threads')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          ...{ name, channel, parent_thread_id, agent_id, metadata_json },
          created_at: eb.case().when('threads.created_at', '<', created_at).then(eb.ref('threads.created_at')).else(created_at).end(),
          updated_at: eb.case().when('threads.updated_at', '>', updated_at).then(eb.ref('threads.updated_at')).else(updated_at).end(),
        })),
      )
  },
)

async function putEvent(tx: WriteTx, event: NewEvent): Promise<void> {
  await upsertEvent(tx.db, rowOf(event))
}

const upsertEvent = compiledOnce((db, row: Selectable<EventsTable>) => {
  const { timestamp, channel, content_types, content, direction, thread_id, reply_to, speaker, trust, agent_id, metadata_json } = row
  const values = {
    ...{ timestamp, channel, content_types, content, direction, thread_id, reply_to, speaker, trust, agent_id, metadata_json },
  }
  const { id, source_adapter, source_id } = row
  return db
    .insertInto('events')
    .values({ id, source_adapter, source_id, ...values })
    .onConflict((conflict) => conflict.columns(['source_adapter', 'source_id']).doUpdateSet(values))
})

function withoutForgotten(event: NewEvent, tombstones: Tombstones | undefined): NewEvent[] {
  if (tombstones === undefined) return [event]
  if (isForgottenEvent(event, tombstones)) return []
  const people = event.people
    .filter(({ handle }) => !tombstones.holds('value', handle))
    .map((person) => ({ ...person, name: visible(person.name, tombstones) }))
  const { thread_id, metadata_json, reply_to } = event
  return [
    {
      ...{ ...event, people, speaker: visible(event.speaker, tombstones), reply_to: visible(reply_to, tombstones) },
      thread_id: typeof thread_id === 'string' ? threadIdWithoutForgotten(thread_id, tombstones) : null,
      metadata_json: typeof metadata_json === 'string' ? (eventMetadataWithoutForgotten(metadata_json, tombstones) ?? metadata_json) : null,
    },
  ]
}

function threadWithoutForgotten(thread: NewThread, tombstones: Tombstones | undefined): NewThread {
  if (tombstones === undefined) return thread
  const { id, source_id, parent_thread_id: parent } = thread
  return {
    ...thread,
    id: threadIdWithoutForgotten(id, tombstones),
    source_id: nameWithoutForgotten(source_id, tombstones),
    parent_thread_id: typeof parent === 'string' ? threadIdWithoutForgotten(parent, tombstones) : null,
  }
}

function visible(value: string | null | undefined, tombstones: Tombstones): string | null {
  return value === undefined || value === null || tombstones.holds('value', value) ? null : value
}

function clean(json: string | null | undefined, tombstones: Tombstones): string | null {
  return json === undefined || json === null ? null : (jsonWithoutForgotten(json, tombstones) ?? json)
}

async function removeEvents(
  tx: WriteTx,
  { adapter, thread, except }: { adapter: string; thread: string; except: ReadonlySet<string> },
): Promise<{ left: number; removed: number }> {
  const row = await tx.db
    .selectFrom('threads')
    .select('id')
    .where('source_adapter', '=', adapter)
    .where('source_id', '=', thread)
    .executeTakeFirst()
  if (row === undefined) return { left: 0, removed: 0 }
  const ofThread = tx.db.selectFrom('events').select(['id', 'source_id']).where('thread_id', '=', row.id)
  const stored = await ofThread.where('source_adapter', '=', adapter).execute()
  const gone = stored.filter(({ source_id }) => !except.has(source_id))
  for (const { id } of gone) await tx.db.deleteFrom('events').where('id', '=', id).execute()
  const left = stored.length - gone.length
  if (left === 0) {
    // Events derived from the thread belong to it too.
    await tx.db.deleteFrom('events').where('thread_id', '=', row.id).execute()
    await tx.db.deleteFrom('threads').where('id', '=', row.id).execute()
  }
  return { left, removed: gone.length }
}
