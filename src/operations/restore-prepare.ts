/** Migrates a backup copy and removes what either side forgot. */
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
  /** If readable. */
  readonly live: Store | undefined
  readonly workspace: string
  readonly clock: Clock
  readonly quietMs: number
  /** Forgetting must cover these from now on. */
  readonly copies: readonly string[]
}

export interface Prepared {
  /** Must not change before the swap. */
  readonly revision: string | undefined
  readonly forgotten: number
}

/** Idempotent. */
export async function prepareStaged(options: Preparing): Promise<Prepared> {
  const { staged, live, workspace, clock } = options
  // Read first, so that the revision detects later tombstones.
  const revision = live === undefined ? undefined : await readMeta(live.read, TOMBSTONE_REVISION)
  if (live !== undefined) await takeOver(staged, live)
  const { forgotten, tombstones } = await removeForgotten(options)
  await carryOver(staged, live, options.copies)
  // Files decide: rows of deleted files would restore their sentences.
  await reindexArtifacts({ store: staged, workspace, clock, tombstones: tombstoneReader() })
  // Comes last, because reindexing removes more rows.
  if (tombstones > 0) await rewriteCopy(staged)
  return { revision, forgotten }
}

/** Keeps the key of each side's tombstones. */
async function takeOver(staged: Store, live: Store): Promise<void> {
  const tombstones = await listTombstones(live.read)
  if (tombstones.keys.length === 0 && (await readMeta(staged.read, TOMBSTONE_REVISION)) === undefined) return
  const revision = Number((await readMeta(live.read, TOMBSTONE_REVISION)) ?? 0)
  await staged.write(async (tx) => {
    await takeOverTombstones(tx, tombstones)
    await moveRevision(tx, revision)
  })
}

/** Applies the workspace's tombstones too. The removed bytes remain in the file. */
async function removeForgotten({ staged, workspace, clock, quietMs }: Preparing): Promise<{ forgotten: number; tombstones: number }> {
  await mergeTombstoneFile(staged, workspace, clock())
  const tombstones = (await listTombstones(staged.read)).rows.length
  if (tombstones === 0) return { forgotten: 0, tombstones }
  const { counts, touched, gone } = await applyTombstones({ store: staged, guard: noLease, clock, quietMs })
  await staged.write((tx) => dropNotes(tx, new Set([...touched, ...gone])))
  return { forgotten: Object.values(counts).reduce((sum, count) => sum + count, 0), tombstones }
}

/** These rows quote forgotten text without a tombstone. None is needed. */
async function dropNotes(tx: WriteTx, sessions: ReadonlySet<string>): Promise<void> {
  for (const id of sessions) await tx.db.deleteFrom('artifacts').where('session_id', '=', id).execute()
  await tx.db.updateTable('jobs').set({ error_message: null, details_json: null }).execute()
  await tx.db.deleteFrom('format_drift').execute()
  await tx.db.updateTable('quarantine').set({ reasons_json: '[]' }).execute()
  await tx.db.deleteFrom('reader_given').execute()
  await tx.db.updateTable('writer_tasks').set({ error_message: null }).execute()
}

/** This machine's state overrides the backup's. */
async function carryOver(staged: Store, live: Store | undefined, copies: readonly string[]): Promise<void> {
  const leases = live === undefined ? [] : await live.read.selectFrom('leases').selectAll().execute()
  const spend = live === undefined ? [] : await live.read.selectFrom('llm_spend').selectAll().execute()
  const backups = live === undefined ? [] : await listCopies(live, 'backups')
  const exports = live === undefined ? [] : await listCopies(live, 'exports')
  const forks = live === undefined ? [] : await listCopies(live, 'forks')
  const pending = live === undefined ? undefined : await readPending(live)
  await staged.write(async (tx) => {
    // A plan may quote forgotten text.
    await tx.db.deleteFrom('artifact_journal').execute()
    await tx.db.deleteFrom('leases').execute()
    for (const row of leases) await tx.db.insertInto('leases').values(row).execute()
    if (live !== undefined) await tx.db.deleteFrom('llm_spend').execute()
    for (const row of spend) await tx.db.insertInto('llm_spend').values(row).execute()
    await noteCopies(tx, 'backups', [...backups, ...copies])
    await noteCopies(tx, 'exports', exports)
    await noteCopies(tx, 'forks', forks)
    // An interrupted forget must still search workspace files.
    if (pending !== undefined) {
      const { id, started_at, selector } = pending
      await setPending(tx, { id, started_at, selector })
    }
  })
}
