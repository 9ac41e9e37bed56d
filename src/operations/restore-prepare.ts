/** Makes a copy of a backup ready to replace the database: this program's schema, and nothing in it that was forgotten on either side. */
import { reindexArtifacts } from '../artifacts/repair/reindex.ts'
import type { Clock } from '../core/clock.ts'
import { applyTombstones, removeOrphans } from '../forget/apply.ts'
import { honourTombstones as honourWorkspace } from '../forget/honour.ts'
import { readPending, setPending } from '../forget/pending.ts'
import { listCopies, noteCopies } from '../store/copies.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import { tombstoneReader } from '../tombstones/tombstones.ts'
import { adoptKey, listKeys, listTombstones, putTombstone, TOMBSTONE_REVISION } from '../tombstones/write-tombstones.ts'

export interface Preparing {
  readonly staged: Store
  /** The database that is to be replaced, where there is one that can be read. */
  readonly live: Store | undefined
  readonly workspace: string
  readonly clock: Clock
  readonly quietMs: number
  /** Copies that forgetting must reach from now on. */
  readonly copies: readonly string[]
}

export interface Prepared {
  /** The live database's tombstones as they were taken over: they must not have moved when its content is replaced. */
  readonly revision: string | undefined
  /** Records taken out of the backup because they were forgotten since. */
  readonly forgotten: number
}

/** Can be repeated: what was taken over before stays. */
export async function prepareStaged(options: Preparing): Promise<Prepared> {
  const { staged, live, workspace, clock } = options
  // Read first: whatever is added after it is noticed by the revision.
  const revision = live === undefined ? undefined : await readMeta(live.read, TOMBSTONE_REVISION)
  if (live !== undefined) await takeOver(staged, live)
  const forgotten = await honourTombstones(options)
  await carryOver(staged, live, options.copies)
  // Published files are the truth of what is published: rows of files that are gone would bring their sentences back.
  await reindexArtifacts({ store: staged, workspace, clock, tombstones: tombstoneReader() })
  return { revision, forgotten }
}

/** Tombstones of both sides, each readable by the key it was made with. */
async function takeOver(staged: Store, live: Store): Promise<void> {
  const keys = await listKeys(live.read)
  const rows = await listTombstones(live)
  const theirs = Number((await readMeta(live.read, TOMBSTONE_REVISION)) ?? 0)
  const ours = Number((await readMeta(staged.read, TOMBSTONE_REVISION)) ?? 0)
  if (keys.length === 0 && ours === 0) return
  await staged.write(async (tx) => {
    for (const key of keys) await adoptKey(tx, key)
    for (const row of rows) await putTombstone(tx, row)
    // Beyond both: a process that has read either must read them again.
    await writeMeta(tx.db, TOMBSTONE_REVISION, String(Math.max(theirs, ours) + 1))
  })
}

/** Nobody else has the copy open. */
const guard = async () => undefined

/** Takes out what was forgotten since the backup was made, by the tombstones of both databases and of the workspace. Gives how many records; nothing of them is left in the file. */
async function honourTombstones({ staged, workspace, clock, quietMs }: Preparing): Promise<number> {
  await honourWorkspace(staged, workspace, clock())
  const { counts } = await applyTombstones({ store: staged, guard, clock, quietMs })
  const forgotten = Object.values(counts).reduce((sum, count) => sum + count, 0)
  // Where no row is left of it, an older version may be: what a row said before stays in the file when the row changes.
  if ((await listTombstones(staged)).length === 0) return 0
  await removeOrphans(staged, guard)
  await staged.rebuildText()
  await staged.erase({ rewrite: true })
  return forgotten
}

/** What is true of this machine now, whatever the backup says: which leases are held, where copies lie, what was spent today. */
async function carryOver(staged: Store, live: Store | undefined, copies: readonly string[]): Promise<void> {
  const leases = live === undefined ? [] : await live.read.selectFrom('leases').selectAll().execute()
  const spend = live === undefined ? [] : await live.read.selectFrom('llm_spend').selectAll().execute()
  const backups = live === undefined ? [] : await listCopies(live, 'backups')
  const exports = live === undefined ? [] : await listCopies(live, 'exports')
  const pending = live === undefined ? undefined : await readPending(live)
  await staged.write(async (tx) => {
    // What was half published then begins anew: its plan may quote what was forgotten since.
    await tx.db.deleteFrom('artifact_journal').execute()
    await tx.db.deleteFrom('leases').execute()
    for (const row of leases) await tx.db.insertInto('leases').values(row).execute()
    if (live !== undefined) await tx.db.deleteFrom('llm_spend').execute()
    for (const row of spend) await tx.db.insertInto('llm_spend').values(row).execute()
    await noteCopies(tx, 'backups', [...backups, ...copies])
    await noteCopies(tx, 'exports', exports)
    // A forgetting that was interrupted has files of the workspace left to search.
    if (pending !== undefined) {
      const { id, started_at, selector } = pending
      await setPending(tx, { id, started_at, selector })
    }
  })
}
