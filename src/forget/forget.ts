/** Crash-safe order: tombstones, records, derived data, bytes, proof. A later process resumes. */
import { randomBytes } from 'node:crypto'
import { toIso } from '../core/time.ts'
import { blankTurns } from '../ledgers/removal/remove-forgotten.ts'
import { listWritten } from '../store/copies.ts'
import type { Lease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { requireFile } from '../store/store-file.ts'
import { clearPending, isSettled, leaveBytes, markSettled, mergeTombstoneFile, readPending, setPending } from '../tombstones/settled.ts'
import { appendTombstoneFile } from '../tombstones/tombstone-file.ts'
import { addTombstones, listKeys, NO_REASON } from '../tombstones/write-tombstones.ts'
import type { ForgetContext } from './context.ts'
import { clearNotes, withoutText } from './notes.ts'
import { eraseAndProve, isErased, LOG_HELD, NOT_SCANNED, type Proof, stillHeld } from './prove/erase.ts'
import { gitCopies, type Receipt, receiptId, scanOf, writeReceipt } from './receipt.ts'
import { removeDerived, sweep } from './remove/apply-tombstones.ts'
import { cleanBackups, listBackups, selectInBackups } from './remove/backups.ts'
import { withPublishedFiles } from './remove/published-files.ts'
import { type Removed, removeEverywhere } from './remove/remove.ts'
import { type ForgetRequest, select, selectorOf } from './request.ts'
import type { Selection } from './select/selection.ts'
import { type TextMatch, textMatch } from './select/text-match.ts'

export type ForgetReport = Receipt & { readonly receipt_path: string }

export async function forget(context: ForgetContext, request: ForgetRequest): Promise<ForgetReport> {
  const selector = selectorOf(request)
  const { store } = context
  return context.alone(async (lease) => {
    await requireFile(store, 'forgetting').requireRoom()
    await finishInterrupted(context, lease)
    const selection = await select(store, request, context)
    const inBackups = await selectInBackups(context, request, selection)
    const written = await listWritten(store)
    const copies = { backups: inBackups.map(({ path }) => path), exports: written }
    const match = request.match === undefined ? undefined : textMatch(request.match)
    const about = { id: newId(context), selector, reason: request.reason ?? NO_REASON }
    return overwritingDeleted(store, async () => {
      const tombstones = await writeTombstones(context, selection, { ...about, lease })
      const removed = await removeEverywhere(context, selection, lease)
      if (match !== undefined) await clearNotes(context, match)
      const { needles, pieces } = selection
      const backups = await cleanBackups(context, inBackups, { match, pieces })
      const exact = match !== undefined
      // Without matches, only an earlier forget's sets were republished; their old versions are clean.
      const old = [...selection.counts.values()].some((count) => count > 0) ? removed.paths : []
      const proof = await eraseAndProve(context, { needles, pieces, exact, removed: old, signal: request.signal, ...copies })
      const held = stillHeld(proof, { ...context, ...copies })
      const receipt: Receipt = {
        ...{ ...about, whole: request.whole ?? null, at: toIso(context.clock()), status: statusOf(proof, held, selection) },
        ...{ removed: Object.fromEntries(selection.counts), tables: largest(Object.fromEntries(selection.tables), removed.tables) },
        subagents: selection.subagents,
        ...{ tombstones, removed_paths: removed.paths, scan: scanOf(proof.scan, proof.erased), still_held: held, backups },
        git: await gitCopies(context.home, about.id, proof.git),
        warnings: [...proof.warnings, ...(await sourceNamed(store, match))],
      }
      return finish(context, match === undefined ? receipt : withoutText(receipt, match), isErased(proof.erased))
    })
  })
}

/** Undefined if there was nothing to finish. */
export async function resumeForgetting(context: ForgetContext): Promise<ForgetReport | undefined> {
  if (await isSettled(context.store, context.workspace)) return undefined
  return context.alone((lease) => finishInterrupted(context, lease))
}

/** The text is unknown now: rewrites the database and claims no proof. */
async function finishInterrupted(context: ForgetContext, lease: Lease): Promise<ForgetReport | undefined> {
  const { store, workspace, clock, onStep } = context
  if (await isSettled(store, workspace)) return undefined
  await mergeTombstoneFile(store, workspace, clock())
  const pending = await readPending(store)
  if (pending === undefined) return undefined
  return overwritingDeleted(store, async () => {
    const removed = pending.left === 'bytes' ? undefined : await removeEverywhere(context, undefined, lease)
    const paths = removed === undefined ? [] : await listBackups(store)
    const backups = await cleanBackups(
      context,
      paths.map((path) => ({ path })),
    )
    await leaveBytes(store)
    await onStep?.('erase')
    await store.rebuildText()
    const erased = await requireFile(store, 'forgetting').erase({ rewrite: true })
    const receipt: Receipt = {
      ...{ id: newId(context), selector: pending.selector, whole: null, reason: 'resumed', at: toIso(clock()) },
      ...{ status: isErased(erased) ? 'removed' : 'still_held', ...countsOf(removed), tombstones: 0 },
      ...{ removed_paths: removed?.paths ?? [], scan: scanOf(NOT_SCANNED, erased), backups, warnings: erased.logEmptied ? [] : [LOG_HELD] },
      git: [],
      still_held: isErased(erased) ? [] : [{ path: store.location, owner: 'mnemonic' }],
    }
    return finish(context, receipt, isErased(erased))
  })
}

/** Writes in one transaction with the removal of rows that only the text leads to. */
async function writeTombstones(
  { store, workspace, clock, onStep }: ForgetContext,
  selection: Selection,
  { id, selector, reason, lease }: { id: string; selector: string; reason: string; lease: Lease },
): Promise<number> {
  await onStep?.('tombstones')
  const forgotten = await withPublishedFiles(store, selection)
  const now = clock()
  const count = await store.write(async (tx) => {
    await lease.check(tx)
    const added = await addTombstones(tx, forgotten, { removedAt: now, reason })
    await sweep(tx, selection.sweeps)
    await blankTurns(tx, selection.turns)
    for (const session of selection.stale) await removeDerived(tx, session)
    await setPending(tx, { id, started_at: now, selector })
    // Must precede the commit: after a crash, the file alone keeps the records out.
    appendTombstoneFile(workspace, { keys: await listKeys(tx.db), rows: added })
    return added.length
  })
  await markSettled(store, workspace)
  return count
}

/** If the database could not be rewritten, a later process retries. */
async function finish(context: ForgetContext, receipt: Receipt, isErased: boolean): Promise<ForgetReport> {
  await context.onStep?.('receipt')
  const receipt_path = await writeReceipt(context.home, receipt)
  await (isErased ? clearPending : leaveBytes)(context.store)
  return { ...receipt, receipt_path }
}

async function overwritingDeleted<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const file = requireFile(store, 'forgetting')
  await file.overwriteDeleted(true)
  try {
    return await work()
  } finally {
    await file.overwriteDeleted(false)
  }
}

function newId({ clock }: ForgetContext): string {
  return receiptId(clock(), randomBytes(3).toString('hex'))
}

function statusOf({ scan }: Proof, held: Receipt['still_held'], { counts }: Selection): Receipt['status'] {
  if (scan.needles === 0 && counts.size > 0) return 'removed'
  return held.length + scan.unreadable.length === 0 ? 'gone' : 'still_held'
}

/** A source's name stays, but the scan finds it. */
async function sourceNamed(store: Store, match: TextMatch | undefined): Promise<string[]> {
  const sources = match === undefined ? [] : await store.read.selectFrom('agent_sessions').select('source').distinct().execute()
  if (!sources.some(({ source }) => match?.holds(source))) return []
  return ['it is also part of the name of a source, with which ids begin: those stay']
}

function countsOf(removed: Removed | undefined): Pick<Receipt, 'removed' | 'tables'> {
  return { removed: largest(removed?.applied.counts ?? {}), tables: largest(removed?.tables ?? {}) }
}

function largest(...counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const all = new Map<string, number>()
  for (const [name, count] of counts.flatMap((one) => Object.entries(one))) all.set(name, Math.max(all.get(name) ?? 0, count))
  return Object.fromEntries([...all].filter(([, count]) => count > 0))
}
