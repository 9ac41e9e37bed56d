/** Makes a copy of a backup ready to replace the database: this program's schema, and nothing in it that was forgotten on either side. */
import { reindexArtifacts } from '../artifacts/repair/reindex.ts'
import type { Clock } from '../core/clock.ts'
import { applyTombstones, noLease, rewriteCopy } from '../forget/remove/apply-tombstones.ts'
import { listCopies, noteCopies } from '../store/copies.ts'
import { readMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { mergeTombstoneFile, readPending, setPending } from '../tombstones/settled.ts'
import { tombstoneReader } from '../tombstones/tombstones.ts'
import { listTombstones, moveRevision, TOMBSTONE_REVISION, takeOverTombstones } from '../tombstones/write-tombstones.ts'

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
  const { forgotten, tombstones } = await removeForgotten(options)
  await carryOver(staged, live, options.copies)
  // Published files are the truth of what is published: rows of files that are gone would bring their sentences back.
  await reindexArtifacts({ store: staged, workspace, clock, tombstones: tombstoneReader() })
  // Last, since rows of published files go with their index only now: what was made of their texts goes with them.
  if (tombstones > 0) await rewriteCopy(staged)
  return { revision, forgotten }
}

/** Tombstones of both sides, each readable by the key it was made with. */
async function takeOver(staged: Store, live: Store): Promise<void> {
  const tombstones = await listTombstones(live.read)
  if (tombstones.keys.length === 0 && (await readMeta(staged.read, TOMBSTONE_REVISION)) === undefined) return
  const revision = Number((await readMeta(live.read, TOMBSTONE_REVISION)) ?? 0)
  await staged.write(async (tx) => {
    await takeOverTombstones(tx, tombstones)
    await moveRevision(tx, revision)
  })
}

/** By the tombstones of both databases and of the workspace. Counts the removed records, which are still in the bytes of the file. */
async function removeForgotten({ staged, workspace, clock, quietMs }: Preparing): Promise<{ forgotten: number; tombstones: number }> {
  await mergeTombstoneFile(staged, workspace, clock())
  const tombstones = (await listTombstones(staged.read)).rows.length
  if (tombstones === 0) return { forgotten: 0, tombstones }
  const { counts, touched, gone } = await applyTombstones({ store: staged, guard: noLease, clock, quietMs })
  await staged.write((tx) => dropNotes(tx, new Set([...touched, ...gone])))
  return { forgotten: Object.values(counts).reduce((sum, count) => sum + count, 0), tombstones }
}

/**
 * Rows that only quote what they are about: their text has no tombstone of its own, since the forgetting found it by reading. All of them go; none
 * is needed to go on.
 */
async function dropNotes(tx: WriteTx, sessions: ReadonlySet<string>): Promise<void> {
  for (const id of sessions) await tx.db.deleteFrom('artifacts').where('session_id', '=', id).execute()
  await tx.db.updateTable('jobs').set({ error_message: null, details_json: null }).execute()
  await tx.db.deleteFrom('format_drift').execute()
  await tx.db.updateTable('quarantine').set({ reasons_json: '[]' }).execute()
  await tx.db.deleteFrom('reader_given').execute()
  await tx.db.updateTable('writer_tasks').set({ error_message: null }).execute()
}

/** What is true of this machine now, whatever the backup says: which jobs run, where copies are, what was spent today. */
async function carryOver(staged: Store, live: Store | undefined, copies: readonly string[]): Promise<void> {
  const leases = live === undefined ? [] : await live.read.selectFrom('leases').selectAll().execute()
  const spend = live === undefined ? [] : await live.read.selectFrom('llm_spend').selectAll().execute()
  const backups = live === undefined ? [] : await listCopies(live, 'backups')
  const exports = live === undefined ? [] : await listCopies(live, 'exports')
  const forks = live === undefined ? [] : await listCopies(live, 'forks')
  const pending = live === undefined ? undefined : await readPending(live)
  await staged.write(async (tx) => {
    // A publication that was unfinished then starts again: its plan may quote what was forgotten since.
    await tx.db.deleteFrom('artifact_journal').execute()
    await tx.db.deleteFrom('leases').execute()
    for (const row of leases) await tx.db.insertInto('leases').values(row).execute()
    if (live !== undefined) await tx.db.deleteFrom('llm_spend').execute()
    for (const row of spend) await tx.db.insertInto('llm_spend').values(row).execute()
    await noteCopies(tx, 'backups', [...backups, ...copies])
    await noteCopies(tx, 'exports', exports)
    await noteCopies(tx, 'forks', forks)
    // A forgetting that was interrupted has files of the workspace left to search.
    if (pending !== undefined) {
      const { id, started_at, selector } = pending
      await setPending(tx, { id, started_at, selector })
    }
  })
}
