/** Writes the events ledger: threads and what was said in them. The only road into its tables. */
import type { Insertable } from 'kysely'
import type { WriteTx } from '../store/store.ts'
import type { EventsTable, ThreadsTable } from '../store/tables.ts'

export type NewThread = Insertable<ThreadsTable>
export type NewEvent = Insertable<EventsTable>

/** Makes a thread, or takes over what is said of it now; when it began stays. */
export async function putThread(tx: WriteTx, thread: NewThread): Promise<void> {
  const { name, updated_at, channel, agent_id, metadata_json } = thread
  await tx.db
    .insertInto('threads')
    .values(thread)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name, updated_at, channel, agent_id, metadata_json }))
    .execute()
}

/** An event that is there already takes the new values. */
export async function putEvents(tx: WriteTx, events: readonly NewEvent[]): Promise<void> {
  for (const event of events) {
    const { id: _, source_adapter, source_id, ...values } = event
    await tx.db
      .insertInto('events')
      .values(event)
      .onConflict((conflict) => conflict.columns(['source_adapter', 'source_id']).doUpdateSet(values))
      .execute()
  }
}

export async function removeEvents(tx: WriteTx, ids: readonly string[]): Promise<void> {
  for (const id of ids) await tx.db.deleteFrom('events').where('id', '=', id).execute()
}

/** A thread without events. */
export async function removeThread(tx: WriteTx, id: string): Promise<void> {
  await tx.db.deleteFrom('threads').where('id', '=', id).execute()
}
