/** Whether the tombstones of database and workspace were brought together since either of them changed: one look-up before each read. */
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import { tombstoneFileMark } from './tombstone-file.ts'
import { TOMBSTONE_REVISION } from './write-tombstones.ts'

/** Says in `meta` that something was forgotten and is not yet removed everywhere. */
export const PENDING = 'forget_pending'
/** The state of both when they were last compared. */
const MARK = 'tombstone_mark'

/** True where the two were compared since either of them changed, and nothing was left unfinished. */
export async function isSettled(store: Store, workspace: string): Promise<boolean> {
  const { rows } = await store.select(`select key, value from meta where key in ('${MARK}', '${TOMBSTONE_REVISION}', '${PENDING}')`, 3)
  const meta = new Map(rows as [string, string][])
  if (meta.has(PENDING)) return false
  const [file, revision] = [tombstoneFileMark(workspace), meta.get(TOMBSTONE_REVISION) ?? '']
  return (file === '' && revision === '') || meta.get(MARK) === markOf(file, revision)
}

/** Notes that both say the same now. */
export async function markSettled(store: Store, workspace: string): Promise<void> {
  await store.write(async (tx) => {
    const revision = (await readMeta(tx.db, TOMBSTONE_REVISION)) ?? ''
    await writeMeta(tx.db, MARK, markOf(tombstoneFileMark(workspace), revision))
  })
}

function markOf(file: string, revision: string): string {
  return `${file} ${revision}`
}
