/** Says that something was forgotten and not yet removed everywhere: whoever comes next goes on. Holds no text and no id. */
import type { Store, WriteTx } from '../store/store.ts'
import { PENDING } from '../tombstones/settled.ts'

export interface Pending {
  readonly id: string
  readonly started_at: number
  readonly selector: string
  /** bytes: everything is removed, and only the file of the database is still to be written anew. */
  readonly left?: 'bytes'
}

export async function readPending(store: Store): Promise<Pending | undefined> {
  const row = await store.read.selectFrom('meta').select('value').where('key', '=', PENDING).executeTakeFirst()
  return row && (JSON.parse(row.value) as Pending)
}

/** One that stands already stays. */
export async function setPending(tx: WriteTx, pending: Pending): Promise<void> {
  await tx.db
    .insertInto('meta')
    .values({ key: PENDING, value: JSON.stringify(pending) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Notes that only the bytes of the database are left to be dealt with. */
export async function leaveBytes(store: Store): Promise<void> {
  const pending = await readPending(store)
  if (pending === undefined) return
  const value = JSON.stringify({ ...pending, left: 'bytes' } satisfies Pending)
  await store.write((tx) => tx.db.updateTable('meta').set({ value }).where('key', '=', PENDING).execute())
}

export async function clearPending(store: Store): Promise<void> {
  await store.write((tx) => tx.db.deleteFrom('meta').where('key', '=', PENDING).execute())
}
