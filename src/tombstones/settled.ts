/** Runs before every read, so it must not load the forgetting code. */
import { readMeta, removeMeta, writeMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { readTombstoneFile, tombstoneFileMark, writeTombstoneFile } from './tombstone-file.ts'
import { listTombstones, moveRevision, TOMBSTONE_REVISION, takeOverTombstones } from './write-tombstones.ts'

const MARK = 'tombstone_mark'
const PENDING = 'forget_pending'

/** An unfinished forget, which the next process resumes. Contains no forgotten text or id. */
export interface Pending {
  readonly id: string
  readonly started_at: number
  readonly selector: string
  /** `bytes`: rows are removed; only the database file must still be rewritten. */
  readonly left?: 'bytes'
}

export async function isSettled(store: Store, workspace: string): Promise<boolean> {
  const meta = await store.rows.meta([MARK, TOMBSTONE_REVISION, PENDING])
  if (meta.has(PENDING)) return false
  const [file, revision] = [tombstoneFileMark(workspace), meta.get(TOMBSTONE_REVISION) ?? '']
  return (file === '' && revision === '') || meta.get(MARK) === markOf(file, revision)
}

/** For a read-only database, which cannot take over the file. */
export async function holdsEveryTombstone(store: Store, workspace: string): Promise<boolean> {
  if ((await readPending(store)) !== undefined) return false
  const known = new Set((await listTombstones(store.read)).rows.map(({ id }) => id))
  return readTombstoneFile(workspace)?.rows.every(({ id }) => known.has(id)) ?? true
}

function markOf(file: string, revision: string): string {
  return `${file} ${revision}`
}

/**
 * Syncs both ways. Records a pending forget for tombstones new to the database, because their data may still be stored. Returns their
 * number.
 */
export async function mergeTombstoneFile(store: Store, workspace: string, now: number): Promise<number> {
  const file = readTombstoneFile(workspace)
  const added = await store.write(async (tx) => {
    const fresh = file === undefined ? 0 : await takeOverTombstones(tx, file)
    if (fresh > 0) {
      await moveRevision(tx)
      await setPending(tx, { id: 'tombstones', started_at: now, selector: 'tombstones' })
    }
    return fresh
  })
  const all = await listTombstones(store.read)
  const inFile = new Set(file?.rows.map(({ id }) => id))
  const isComplete = all.keys.every((key) => file?.keys.includes(key)) && all.rows.every(({ id }) => inFile.has(id))
  if (!isComplete) await writeTombstoneFile(workspace, all)
  await markSettled(store, workspace)
  return added
}

export async function markSettled(store: Store, workspace: string): Promise<void> {
  await store.write(async (tx) => {
    const revision = (await readMeta(tx.db, TOMBSTONE_REVISION)) ?? ''
    await writeMeta(tx.db, MARK, markOf(tombstoneFileMark(workspace), revision))
  })
}

export async function readPending(store: Store): Promise<Pending | undefined> {
  const value = await readMeta(store.read, PENDING)
  return value === undefined ? undefined : (JSON.parse(value) as Pending)
}

/** Never overwrites an existing entry. */
export async function setPending(tx: WriteTx, pending: Pending): Promise<void> {
  if ((await readMeta(tx.db, PENDING)) === undefined) await writeMeta(tx.db, PENDING, JSON.stringify(pending))
}

export async function leaveBytes(store: Store): Promise<void> {
  await store.write(async (tx) => {
    const pending = await readMeta(tx.db, PENDING)
    if (pending === undefined) return
    await writeMeta(tx.db, PENDING, JSON.stringify({ ...(JSON.parse(pending) as Pending), left: 'bytes' } satisfies Pending))
  })
}

export async function clearPending(store: Store): Promise<void> {
  await store.write((tx) => removeMeta(tx.db, PENDING))
}
