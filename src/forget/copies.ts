/** Backups that Mnemonic made: what is forgotten goes out of them too, by the same protocol. */
import { existsSync } from 'node:fs'
import { asMnemonicError } from '../core/error.ts'
import { listCopies } from '../store/copies.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { requireFile } from '../store/store-file.ts'
import { adoptKey, blankReasons, listKeys, listTombstones, moveRevision, putTombstone } from '../tombstones/write-tombstones.ts'
import { applyTombstones, removeOrphans } from './apply.ts'
import type { ForgetContext } from './context.ts'
import { textsOf } from './erase.ts'
import type { Receipt } from './receipt.ts'
import { type ForgetRequest, select } from './request.ts'
import { saidToo } from './scan.ts'
import type { Selection } from './selection.ts'
import { sweep } from './sweep.ts'
import type { TextMatch } from './text-match.ts'

/** Those that were noted when they were made. A half-written one that is gone needs nobody's attention. */
export async function listBackups(store: Store): Promise<string[]> {
  const paths = await listCopies(store, 'backups')
  return paths.filter((path) => !path.endsWith('.partial') || existsSync(path))
}

/** Exports are pruned beforehand; those that still hold something are named. */
export function listExports(store: Store): Promise<string[]> {
  return listCopies(store, 'exports')
}

export interface Copy {
  readonly path: string
  readonly selection?: Selection
  readonly failed?: string
}

/** What is found in the backups, added to what is forgotten: an older one may hold what the database has no more. */
export async function selectInCopies(context: ForgetContext, request: ForgetRequest, selection: Selection): Promise<Copy[]> {
  const copies: Copy[] = []
  for (const path of await listBackups(context.store)) {
    if (!existsSync(path)) {
      copies.push({ path })
      continue
    }
    copies.push(await opened(context, path, async (copy) => selectIn(copy, context, { request, selection })))
  }
  return copies
}

async function selectIn(
  copy: Store,
  { timezone, clock, agentId }: ForgetContext,
  { request, selection }: { request: ForgetRequest; selection: Selection },
): Promise<Selection | undefined> {
  if (request.match === undefined) return undefined // named records are fenced by their ids, in a backup too
  const found = await select(copy, request, { timezone, now: clock(), agentId })
  selection.forgotten.push(...found.forgotten)
  for (const needle of found.needles) selection.needles.add(needle)
  for (const piece of found.pieces) selection.pieces.add(piece)
  return found
}

async function opened(context: ForgetContext, path: string, work: (copy: Store) => Promise<Selection | undefined>): Promise<Copy> {
  let copy: Store | undefined
  try {
    copy = await context.openCopy(path)
    const selection = await work(copy)
    return { path, ...(selection === undefined ? {} : { selection }) }
  } catch (error) {
    return { path, failed: asMnemonicError(error).code }
  } finally {
    await copy?.close()
  }
}

export interface Cleaning {
  /** The text itself, where it is known. */
  readonly match?: TextMatch | undefined
  /** What the scan will look for: what a backup still says in other records is taken out of it. */
  readonly pieces?: Set<string>
}

/** Removes what is fenced from each backup and writes it anew. */
export async function cleanCopies(context: ForgetContext, copies: readonly Copy[], cleaning: Cleaning = {}): Promise<Receipt['backups']> {
  const cleaned: { path: string; status: 'clean' | 'failed' | 'missing' }[] = []
  for (const { path, selection, failed } of copies) {
    if (!existsSync(path)) {
      cleaned.push({ path, status: 'missing' })
      continue
    }
    const end = failed === undefined ? await opened(context, path, (copy) => clean(copy, context, { selection, ...cleaning })) : { failed }
    cleaned.push({ path, status: end.failed === undefined ? 'clean' : 'failed' })
  }
  return cleaned
}

/** What it knows of published files quotes the session; a restore makes these rows again from the files that there are then. */
async function removePublished(copy: Store, sessions: ReadonlySet<string>): Promise<void> {
  await copy.write(async (tx) => {
    for (const id of sessions) await tx.db.deleteFrom('artifacts').where('session_id', '=', id).execute()
    await tx.db.deleteFrom('artifact_journal').execute()
  })
}

async function clean(
  copy: Store,
  { store, clock, quietMs }: ForgetContext,
  { selection, match, pieces }: Cleaning & { selection: Selection | undefined },
): Promise<undefined> {
  const [keys, rows] = [await listKeys(store.read), await listTombstones(store)]
  const guard = async () => undefined // nobody else works on a backup
  await requireFile(copy, 'forgetting').overwriteDeleted(true)
  await copy.write(async (tx: WriteTx) => {
    for (const key of keys) await adoptKey(tx, key)
    for (const row of rows) await putTombstone(tx, row)
    await moveRevision(tx)
    if (match !== undefined) await blankHeldReasons(tx, match)
    if (selection !== undefined) await sweep(tx, selection.sweeps)
  })
  const { touched, gone } = await applyTombstones({ store: copy, guard, clock, quietMs })
  await removePublished(copy, new Set([...touched, ...gone, ...(selection?.sessions ?? [])]))
  await removeOrphans(copy, guard)
  await copy.rebuildText()
  await requireFile(copy, 'forgetting').erase({ rewrite: true })
  if (pieces !== undefined) for (const said of await saidToo([...pieces], textsOf(copy))) pieces.delete(said)
}

/** Why something was forgotten before may say what is forgotten now. True when one did. */
export async function blankHeldReasons(tx: WriteTx, match: TextMatch): Promise<boolean> {
  const reasons = await tx.db.selectFrom('tombstones').select('reason').distinct().execute()
  const holding = reasons.map(({ reason }) => reason).filter((reason) => match.holds(reason))
  if (holding.length > 0) await blankReasons(tx, holding)
  return holding.length > 0
}
