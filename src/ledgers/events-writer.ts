/** Writes the events ledger: threads and their events. The only way into its tables. */
import type { Insertable } from 'kysely'
import type { WriteTx } from '../store/store.ts'
import type { EventsTable, ThreadsTable } from '../store/tables.ts'
import { type Tombstones, tombstonesOf } from '../tombstones/tombstones.ts'
import { jsonWithoutForgotten } from '../tombstones/without-forgotten.ts'

export type NewThread = Insertable<ThreadsTable>
export type NewEvent = Insertable<EventsTable>

/** Creates a thread, or updates it; its start stays. */
export async function putThread(tx: WriteTx, given: NewThread): Promise<void> {
  const tombstones = await tombstonesOf(tx)
  const thread =
    tombstones === undefined
      ? given
      : { ...given, name: visible(given.name, tombstones), metadata_json: clean(given.metadata_json, tombstones) }
  const { name, updated_at, channel, agent_id, metadata_json } = thread
  await tx.db
    .insertInto('threads')
    .values(thread)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name, updated_at, channel, agent_id, metadata_json }))
    .execute()
}

/** An event that is stored already takes the new values; one that was forgotten is left out. */
export async function putEvents(tx: WriteTx, given: readonly NewEvent[]): Promise<void> {
  const tombstones = await tombstonesOf(tx)
  const events = tombstones === undefined ? given : given.flatMap((event) => withoutForgottenParts(event, tombstones))
  for (const event of events) {
    const { id: _, source_adapter, source_id, ...values } = event
    await tx.db
      .insertInto('events')
      .values(event)
      .onConflict((conflict) => conflict.columns(['source_adapter', 'source_id']).doUpdateSet(values))
      .execute()
  }
}

function withoutForgottenParts(event: NewEvent, tombstones: Tombstones): NewEvent[] {
  const content = event.content ?? ''
  if (tombstones.holds('event', event.id) || (content !== '' && (tombstones.holds('value', content) || tombstones.holdsText(content))))
    return []
  return [{ ...event, speaker: visible(event.speaker, tombstones), metadata_json: clean(event.metadata_json, tombstones) }]
}

function visible(value: string | null | undefined, tombstones: Tombstones): string | null {
  return value === undefined || value === null || tombstones.holds('value', value) ? null : value
}

function clean(json: string | null | undefined, tombstones: Tombstones): string | null {
  return json === undefined || json === null ? null : (jsonWithoutForgotten(json, tombstones) ?? json)
}

export async function removeEvents(tx: WriteTx, ids: readonly string[]): Promise<void> {
  for (const id of ids) await tx.db.deleteFrom('events').where('id', '=', id).execute()
}

/** A thread without events. */
export async function removeThread(tx: WriteTx, id: string): Promise<void> {
  await tx.db.deleteFrom('threads').where('id', '=', id).execute()
}
