/** Brings the tombstones of database and workspace together: what one of them forgot, both keep out. */

import type { Store } from '../store/store.ts'
import { markSettled } from '../tombstones/settled.ts'
import { readTombstoneFile, writeTombstoneFile } from '../tombstones/tombstone-file.ts'
import { adoptKey, listKeys, listTombstones, moveRevision, putTombstone } from '../tombstones/write-tombstones.ts'
import { setPending } from './pending.ts'

/** Gives how many tombstones the database did not know: what they fence may be in it, and is marked as not yet removed. */
export async function honourTombstones(store: Store, workspace: string, now: number): Promise<number> {
  const file = readTombstoneFile(workspace)
  const added = await store.write(async (tx) => {
    let fresh = 0
    for (const key of file?.keys ?? []) await adoptKey(tx, key)
    for (const row of file?.rows ?? []) if (await putTombstone(tx, row)) fresh += 1
    if (fresh > 0) {
      await moveRevision(tx)
      await setPending(tx, { id: 'tombstones', started_at: now, selector: 'tombstones' })
    }
    return fresh
  })
  const keys = await listKeys(store.read)
  const rows = await listTombstones(store)
  const known = new Set(file?.rows.map(({ id }) => id))
  const whole = keys.every((key) => file?.keys.includes(key)) && rows.every(({ id }) => known.has(id))
  if (!whole) await writeTombstoneFile(workspace, { keys, rows })
  await markSettled(store, workspace)
  return added
}
