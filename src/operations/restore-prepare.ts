/** Makes a copy of a backup ready to replace the database: this program's schema, and nothing in it that was forgotten on either side. */
import { reindexArtifacts } from '../artifacts/repair/reindex.ts'
import type { Clock } from '../core/clock.ts'
import { applyTombstones, noLease, rewriteCopy } from '../forget/remove/apply-tombstones.ts'
import { listCopies, noteCopies } from '../store/copies.ts'
import { readMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
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
  const forgotten = await removeForgotten(options)
  await carryOver(staged, live, options.copies)
  // Published files are the truth of what is published: rows of files that are gone would bring their sentences back.
  await reindexArtifacts({ store: staged, workspace, clock, tombstones: tombstoneReader() })
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

/** By the tombstones of both databases and of the workspace. Returns how many records were removed; nothing of them is left in the file. */
async function removeForgotten({ staged, workspace, clock, quietMs }: Preparing): Promise<number> {
  await mergeTombstoneFile(staged, workspace, clock())
  if ((await listTombstones(staged.read)).rows.length === 0) return 0
  const { counts } = await applyTombstones({ store: staged, guard: noLease, clock, quietMs })
  await rewriteCopy(staged)
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
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
