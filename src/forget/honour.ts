/** Brings the tombstones of database and workspace together: what one of them forgot, both keep out. */

import type { Store, WriteTx } from '../store/store.ts'
import { readTombstoneFile, tombstoneFileMark, writeTombstoneFile } from '../tombstones/tombstone-file.ts'
import { adoptKey, listKeys, listTombstones, moveRevision, putTombstone, TOMBSTONE_REVISION } from '../tombstones/write-tombstones.ts'
import { PENDING, setPending } from './pending.ts'

/** The state of both when they were last compared. */
const MARK = 'tombstone_mark'

/** True where the two were compared since either of them changed, and nothing was left unfinished. Costs one look-up. */
export async function isSettled(store: Store, workspace: string): Promise<boolean> {
  const meta = await store.rows.meta([MARK, TOMBSTONE_REVISION, PENDING])
  if (meta.has(PENDING)) return false
  const [file, revision] = [tombstoneFileMark(workspace), meta.get(TOMBSTONE_REVISION) ?? '']
  return (file === '' && revision === '') || meta.get(MARK) === markOf(file, revision)
}

function markOf(file: string, revision: string): string {
  return `${file} ${revision}`
}

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

/** Notes that both say the same now. */
export async function markSettled(store: Store, workspace: string): Promise<void> {
  await store.write(async (tx: WriteTx) => {
    const row = await tx.db.selectFrom('meta').select('value').where('key', '=', TOMBSTONE_REVISION).executeTakeFirst()
    const value = markOf(tombstoneFileMark(workspace), row?.value ?? '')
    await tx.db
      .insertInto('meta')
      .values({ key: MARK, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
  })
}
