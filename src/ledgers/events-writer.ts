/** Writes the events ledger: threads and what was said in them. The only road into its tables. */
import type { Insertable } from 'kysely'
import type { WriteTx } from '../store/store.ts'
import type { EventsTable, ThreadsTable } from '../store/tables.ts'
import { type Fence, fenceOf } from './fence.ts'
import { jsonWithoutForgotten } from './fenced-value.ts'

export type NewThread = Insertable<ThreadsTable>
export type NewEvent = Insertable<EventsTable>

/** Makes a thread, or takes over what is said of it now; when it began stays. */
export async function putThread(tx: WriteTx, given: NewThread): Promise<void> {
  const fence = await fenceOf(tx)
  const thread =
    fence === undefined ? given : { ...given, name: visible(given.name, fence), metadata_json: clean(given.metadata_json, fence) }
  const { name, updated_at, channel, agent_id, metadata_json } = thread
  await tx.db
    .insertInto('threads')
    .values(thread)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name, updated_at, channel, agent_id, metadata_json }))
    .execute()
}

/** An event that is there already takes the new values; one that was forgotten does not come in. */
export async function putEvents(tx: WriteTx, given: readonly NewEvent[]): Promise<void> {
  const fence = await fenceOf(tx)
  const events = fence === undefined ? given : given.flatMap((event) => fencedEvent(event, fence))
  for (const event of events) {
    const { id: _, source_adapter, source_id, ...values } = event
    await tx.db
      .insertInto('events')
      .values(event)
      .onConflict((conflict) => conflict.columns(['source_adapter', 'source_id']).doUpdateSet(values))
      .execute()
  }
}

function fencedEvent(event: NewEvent, fence: Fence): NewEvent[] {
  const content = event.content ?? ''
  if (fence.holds('event', event.id) || (content !== '' && (fence.holds('value', content) || fence.holdsText(content)))) return []
  return [{ ...event, speaker: visible(event.speaker, fence), metadata_json: clean(event.metadata_json, fence) }]
}

function visible(value: string | null | undefined, fence: Fence): string | null {
  return value === undefined || value === null || fence.holds('value', value) ? null : value
}

function clean(json: string | null | undefined, fence: Fence): string | null {
  return json === undefined || json === null ? null : (jsonWithoutForgotten(json, fence) ?? json)
}

export async function removeEvents(tx: WriteTx, ids: readonly string[]): Promise<void> {
  for (const id of ids) await tx.db.deleteFrom('events').where('id', '=', id).execute()
}

/** A thread without events. */
export async function removeThread(tx: WriteTx, id: string): Promise<void> {
  await tx.db.deleteFrom('threads').where('id', '=', id).execute()
}
