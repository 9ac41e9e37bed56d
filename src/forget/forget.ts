/**
 * Forgetting, in an order that keeps the promise at every instant: tombstones first, then the records, then what was derived from them, then
 * the bytes, then the proof. A process that dies anywhere in it is followed by one that goes on.
 */
import { randomBytes } from 'node:crypto'
import { appendTombstones } from '../artifacts/tombstone-file.ts'
import { toIso } from '../core/time.ts'
import { blankTurns } from '../ledgers/remove-fenced.ts'
import { addTombstones, listKeys } from '../ledgers/tombstones.ts'
import type { Lease } from '../store/lease.ts'
import { type Applied, applyTombstones, removeDerived, removeOrphans } from './apply.ts'
import type { ForgetContext } from './context.ts'
import { type Copy, cleanCopies, listCopies, selectInCopies } from './copies.ts'
import { eraseAndProve, ownerOf, type Proof, rewritten } from './erase.ts'
import { honourTombstones, isSettled, markSettled } from './honour.ts'
import { clearPending, readPending, setPending } from './pending.ts'
import { type Receipt, receiptId, scanOf, writeReceipt } from './receipt.ts'
import { artifactTombstones, remakeArtifacts } from './remake-artifacts.ts'
import { type ForgetRequest, select, selectorOf } from './request.ts'
import { HIDDEN } from './scan.ts'
import type { Selection } from './selection.ts'
import { sweep } from './sweep.ts'

/** What would go. snake_case: this is the JSON of `forget --dry-run`. */
export interface ForgetPlan {
  readonly dry_run: true
  readonly selector: string
  readonly whole: string | null
  /** By kind of record. */
  readonly would_remove: Readonly<Record<string, number>>
  /** Rows that hold it, by table. */
  readonly tables: Readonly<Record<string, number>>
  /** Sessions that go or lose something; those whose id holds the text are counted, not named. */
  readonly sessions: readonly string[]
}

export type ForgetReport = Receipt & { readonly receipt_path: string }

/** Writes nothing at all. */
export async function planForgetting(context: ForgetContext, request: ForgetRequest): Promise<ForgetPlan> {
  const selector = selectorOf(request)
  const selection = await selected(context, request)
  const shown = [...selection.sessions].filter((id) => request.match === undefined || !holdsAny(id, selection.needles))
  return {
    ...{ dry_run: true, selector, whole: request.whole ?? null },
    ...{ would_remove: Object.fromEntries(selection.counts), tables: Object.fromEntries(selection.tables) },
    sessions: shown.sort(),
  }
}

function holdsAny(text: string, needles: Iterable<string>): boolean {
  const lower = text.toLowerCase()
  return [...needles].some((needle) => lower.includes(needle.toLowerCase()))
}

function selected({ store, timezone, clock, agentId }: ForgetContext, request: ForgetRequest): Promise<Selection> {
  return select(store, request, { timezone, now: clock(), agentId })
}

export async function forget(context: ForgetContext, request: ForgetRequest): Promise<ForgetReport> {
  const selector = selectorOf(request)
  return context.alone(async (lease) => {
    await goOn(context, lease)
    const selection = await selected(context, request)
    const copies = await selectInCopies(context, request, selection)
    const id = receiptId(context.clock(), randomBytes(3).toString('hex'))
    const reason = request.reason ?? 'owner'
    await context.store.overwriteDeleted(true)
    try {
      const tombstones = await bury(context, selection, { id, selector, reason, lease })
      const removed = await removeAll(context, selection, lease)
      const backups = await cleanCopies(context, copies)
      const exact = selector === 'match'
      const proof = await eraseAndProve(context, {
        ...{ needles: selection.needles, exact, signal: request.signal },
        copies: copies.map(({ path }) => path),
      })
      const receipt: Receipt = {
        ...{ id, selector, whole: request.whole ?? null, reason, at: toIso(context.clock()) },
        ...held(context, proof, { copies, removed: removed.paths, exact }),
        ...{ removed: Object.fromEntries(selection.counts), tables: { ...Object.fromEntries(selection.tables), ...removed.tables } },
        ...{ tombstones, backups, warnings: proof.warnings },
      }
      return await sign(context, receipt)
    } finally {
      await context.store.overwriteDeleted(false)
    }
  })
}

/** Puts the tombstones into the database and the workspace, and clears what only the text itself can lead to: all at once. */
async function bury(
  { store, workspace, clock, onStep }: ForgetContext,
  selection: Selection,
  { id, selector, reason, lease }: { id: string; selector: string; reason: string; lease: Lease },
): Promise<number> {
  await onStep?.('tombstones')
  const published = await artifactTombstones(store, selection.sessions)
  const now = clock()
  const count = await store.write(async (tx) => {
    await lease.check(tx)
    const added = await addTombstones(tx, [...selection.forgotten, ...published], { removedAt: now, reason })
    await sweep(tx, selection.sweeps)
    await blankTurns(tx, selection.turns)
    for (const session of selection.stale) await removeDerived(tx, session)
    await setPending(tx, { id, started_at: now, selector })
    // On the disk before the database says so: should this process die in between, the file alone keeps the promise.
    appendTombstones(workspace, { keys: await listKeys(tx.db), rows: added })
    return added.length
  })
  await markSettled(store, workspace)
  return count
}

interface Removed {
  readonly applied: Applied
  readonly tables: Readonly<Record<string, number>>
  readonly paths: readonly string[]
}

async function removeAll(context: ForgetContext, selection: Selection | undefined, lease: Lease): Promise<Removed> {
  const { store, onStep } = context
  await onStep?.('removal')
  const applied = await applyTombstones({ ...context, guard: lease.check })
  await onStep?.('index')
  for (const id of new Set([...applied.touched, ...(selection?.stale ?? [])])) {
    if (!applied.gone.has(id)) await context.indexSession(id, lease)
  }
  const orphans = await removeOrphans(store, lease.check)
  await onStep?.('artifacts')
  const changed = applied.touched.size + applied.gone.size + (selection?.stale.size ?? 0) > 0
  const paths = await remakeArtifacts(context, changed)
  await context.exportAgain()
  return { applied, tables: { ...applied.counts, ...orphans }, paths }
}

function held(
  { home, workspace }: ForgetContext,
  { scan, erased }: Proof,
  { copies, removed, exact }: { copies: readonly Copy[]; removed: readonly string[]; exact: boolean },
): Pick<Receipt, 'status' | 'scan' | 'still_held' | 'removed_paths'> {
  const places = { home, workspace, copies: copies.map(({ path }) => path) }
  const still = scan.holding.map((one) => ({ path: one.hidden && exact ? HIDDEN : one.path, owner: ownerOf(one, places) }) as const)
  const status = still.length + scan.unreadable.length === 0 ? 'gone' : 'still_held'
  return { status, scan: scanOf(scan, erased), still_held: still, removed_paths: removed }
}

async function sign(context: ForgetContext, receipt: Receipt): Promise<ForgetReport> {
  await context.onStep?.('receipt')
  const receipt_path = await writeReceipt(context.home, receipt)
  await clearPending(context.store)
  return { ...receipt, receipt_path }
}

/** Brings the tombstones of both sides together, and ends what an earlier process began. Undefined when there was nothing to do. */
export async function resumeForgetting(context: ForgetContext): Promise<ForgetReport | undefined> {
  if (await isSettled(context.store, context.workspace)) return undefined
  return context.alone((lease) => goOn(context, lease))
}

/** Without the text nothing can be looked for: the database is written anew instead, and the receipt claims no proof. */
async function goOn(context: ForgetContext, lease: Lease): Promise<ForgetReport | undefined> {
  const { store, workspace, clock, home } = context
  if (await isSettled(store, workspace)) return undefined
  await honourTombstones(store, workspace, clock())
  const pending = await readPending(store)
  if (pending === undefined) return undefined
  await store.overwriteDeleted(true)
  const warnings: string[] = []
  try {
    const removed = await removeAll(context, undefined, lease)
    const copies = await listCopies(store)
    const backups = await cleanCopies(
      context,
      copies.map((path) => ({ path })),
    )
    await context.onStep?.('erase')
    const erased = await rewritten(store, await store.erase(), warnings)
    const scan = { files: 0, bytes: 0, needles: 0, holding: [], unreadable: [] }
    const receipt: Receipt = {
      ...{ id: receiptId(clock(), randomBytes(3).toString('hex')), selector: pending.selector, whole: null, reason: 'resumed' },
      ...{ at: toIso(clock()), status: 'removed', removed: removed.applied.counts, tables: removed.tables, tombstones: 0 },
      ...{ removed_paths: removed.paths, scan: scanOf(scan, erased), still_held: [], backups, warnings },
    }
    return await sign({ ...context, home }, receipt)
  } finally {
    await store.overwriteDeleted(false)
  }
}
