import { existsSync } from 'node:fs'
import { asMnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { listCopies, listWritten } from '../../store/copies.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import { requireFile } from '../../store/store-file.ts'
import { listTombstones, moveRevision, takeOverTombstones } from '../../tombstones/write-tombstones.ts'
import type { ForgetContext } from '../context.ts'
import { blankHeldReasons } from '../notes.ts'
import { textsOf } from '../prove/erase.ts'
import { commonNeedles } from '../prove/scan.ts'
import type { Receipt } from '../receipt.ts'
import { type ForgetRequest, select } from '../request.ts'
import type { Selection } from '../select/selection.ts'
import type { TextMatch } from '../select/text-match.ts'
import { applyTombstones, noLease, rewriteCopy, sweep } from './apply-tombstones.ts'
import { dropMadeTexts } from './clear-operations.ts'

/** Recorded at creation. Skips vanished partial files. */
export async function listBackups(store: Store): Promise<string[]> {
  const paths = await listCopies(store, 'backups')
  return paths.filter((path) => !path.endsWith('.partial') || existsSync(path))
}

export interface Backup {
  readonly path: string
  readonly selection?: Selection
  readonly failed?: string
}

/** An older backup may contain more than the database. */
export async function selectInBackups(context: ForgetContext, request: ForgetRequest, selection: Selection): Promise<Backup[]> {
  const backups: Backup[] = []
  for (const path of await listBackups(context.store)) {
    if (!existsSync(path)) {
      backups.push({ path })
      continue
    }
    backups.push(await opened(context, path, async (copy) => selectIn(copy, context, { request, selection })))
  }
  return backups
}

async function selectIn(
  copy: Store,
  context: ForgetContext,
  { request, selection }: { request: ForgetRequest; selection: Selection },
): Promise<Selection | undefined> {
  if (request.match === undefined) return undefined // tombstones by id also work in a backup
  const found = await select(copy, request, context)
  selection.forgotten.push(...found.forgotten)
  for (const needle of found.needles) selection.needles.add(needle)
  for (const piece of found.pieces) selection.pieces.add(piece)
  return found
}

async function opened(context: ForgetContext, path: string, work: (copy: Store) => Promise<Selection | undefined>): Promise<Backup> {
  let copy: Store | undefined
  try {
    copy = await context.openCopy(path)
    const selection = await work(copy)
    return { path, ...given({ selection }) }
  } catch (error) {
    return { path, failed: asMnemonicError(error).code }
  } finally {
    await copy?.close()
  }
}

export interface Cleaning {
  readonly match?: TextMatch | undefined
  /** Drops needles that a backup's other records contain. */
  readonly pieces?: Set<string>
}

export async function cleanBackups(
  context: ForgetContext,
  backups: readonly Backup[],
  cleaning: Cleaning = {},
): Promise<Receipt['backups']> {
  const cleaned: { path: string; status: 'clean' | 'failed' | 'missing' }[] = []
  for (const { path, selection, failed } of backups) {
    if (!existsSync(path)) {
      cleaned.push({ path, status: 'missing' })
      continue
    }
    const end = failed === undefined ? await opened(context, path, (copy) => clean(copy, context, { selection, ...cleaning })) : { failed }
    cleaned.push({ path, status: end.failed === undefined ? 'clean' : 'failed' })
  }
  return cleaned
}

/** They quote the session; a restore rebuilds them from files. */
async function removePublished(copy: Store, sessions: ReadonlySet<string>): Promise<void> {
  await copy.write(async (tx) => {
    for (const id of sessions) await tx.db.deleteFrom('artifacts').where('session_id', '=', id).execute()
    await tx.db.deleteFrom('artifact_journal').execute()
  })
}

async function clean(
  copy: Store,
  { store, workspace, clock, quietMs }: ForgetContext,
  { selection, match, pieces }: Cleaning & { selection: Selection | undefined },
): Promise<undefined> {
  const tombstones = await listTombstones(store.read)
  await requireFile(copy, 'forgetting').overwriteDeleted(true)
  const written = await listWritten(store)
  await copy.write(async (tx: WriteTx) => {
    await dropMadeTexts(tx, workspace, written)
    await takeOverTombstones(tx, tombstones)
    await moveRevision(tx)
    if (match !== undefined) await blankHeldReasons(tx, match)
    if (selection !== undefined) await sweep(tx, selection.sweeps)
  })
  const { touched, gone } = await applyTombstones({ store: copy, guard: noLease, clock, quietMs })
  await removePublished(copy, new Set([...touched, ...gone, ...(selection?.sessions ?? [])]))
  await rewriteCopy(copy)
  if (pieces !== undefined) for (const common of await commonNeedles([...pieces], textsOf(copy))) pieces.delete(common)
}
