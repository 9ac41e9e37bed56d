/**
 * Forgetting, in an order that keeps the promise at every instant: tombstones first, then the records, then what was derived from them, then
 * the bytes, then the proof. A process that dies anywhere in it is followed by one that goes on.
 */
import { randomBytes } from 'node:crypto'
import { toIso } from '../core/time.ts'
import { blankTurns } from '../ledgers/removal/remove-forgotten.ts'
import type { Lease } from '../store/lease.ts'
import type { Erased, Store } from '../store/store.ts'
import { appendTombstoneFile, writeTombstoneFile } from '../tombstones/tombstone-file.ts'
import { addTombstones, listKeys, listTombstones, NO_REASON } from '../tombstones/write-tombstones.ts'
import { type Applied, applyTombstones, removeDerived, removeOrphans } from './apply.ts'
import type { ForgetContext } from './context.ts'
import { blankHeldReasons, cleanCopies, listBackups, listExports, selectInCopies } from './copies.ts'
import { eraseAndProve, LOG_HELD, ownerOf, type Places, type Proof } from './erase.ts'
import { honourTombstones, isSettled, markSettled } from './honour.ts'
import { clearPending, leaveBytes, readPending, setPending } from './pending.ts'
import { type PlannedRecord, previewOf } from './preview.ts'
import { listReceipts, type Receipt, receiptId, scanOf, writeReceipt } from './receipt.ts'
import { remakeArtifacts, withLineage } from './remake-artifacts.ts'
import { type ForgetRequest, select, selectorOf } from './request.ts'
import { reuseVectors } from './reuse-vectors.ts'
import type { Selection } from './selection.ts'
import { sweep } from './sweep.ts'
import { textMatch } from './text-match.ts'

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
  /** The first fifty records that go, as a person knows them. */
  readonly records: readonly PlannedRecord[]
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
    records: await previewOf(context.store, selection, request.match),
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
    await context.store.requireRoom()
    await goOn(context, lease)
    const selection = await selected(context, request)
    const copies = await selectInCopies(context, request, selection)
    const outside = { backups: copies.map(({ path }) => path), exports: await listExports(context.store) }
    const id = receiptId(context.clock(), randomBytes(3).toString('hex'))
    const reason = request.reason ?? NO_REASON
    await context.store.overwriteDeleted(true)
    try {
      const tombstones = await bury(context, selection, { id, selector, reason, lease })
      const removed = await removeAll(context, selection, lease)
      await clearNotes(context, request.match)
      const { needles, pieces } = selection
      const match = request.match === undefined ? undefined : textMatch(request.match)
      const backups = await cleanCopies(context, copies, { match, pieces })
      const proof = await eraseAndProve(context, { ...{ needles, pieces, exact: match !== undefined, signal: request.signal }, ...outside })
      const receipt: Receipt = {
        ...{ id, selector, whole: request.whole ?? null, reason, at: toIso(context.clock()) },
        ...held({ ...context, ...outside }, proof, removed.paths),
        ...(proof.scan.needles === 0 && selection.counts.size > 0 ? { status: 'removed' } : {}),
        ...{ removed: Object.fromEntries(selection.counts), tables: positive(Object.fromEntries(selection.tables), removed.tables) },
        ...{ tombstones, backups, warnings: [...proof.warnings, ...(await namedLikeSource(context.store, request.match))] },
      }
      return await sign(context, discreet(receipt, request.match), proof.erased)
    } finally {
      await context.store.overwriteDeleted(false)
    }
  })
}

/** Nobody's content, and nothing that could go: but the scan finds it. */
async function namedLikeSource(store: Store, match: string | undefined): Promise<string[]> {
  if (match === undefined) return []
  const told = textMatch(match)
  const sources = await store.read.selectFrom('agent_sessions').select('source').distinct().execute()
  if (!sources.some(({ source }) => told.holds(source))) return []
  return ['it stands in the name of a source too, with which ids begin: those stay']
}

/** Puts the tombstones into the database and the workspace, and clears what only the text itself can lead to: all at once. */
async function bury(
  { store, workspace, clock, onStep }: ForgetContext,
  selection: Selection,
  { id, selector, reason, lease }: { id: string; selector: string; reason: string; lease: Lease },
): Promise<number> {
  await onStep?.('tombstones')
  const forgotten = await withLineage(store, selection)
  const now = clock()
  const count = await store.write(async (tx) => {
    await lease.check(tx)
    const added = await addTombstones(tx, forgotten, { removedAt: now, reason })
    await sweep(tx, selection.sweeps)
    await blankTurns(tx, selection.turns)
    for (const session of selection.stale) await removeDerived(tx, session)
    await setPending(tx, { id, started_at: now, selector })
    // On the disk before the database says so: should this process die in between, the file alone keeps the promise.
    appendTombstoneFile(workspace, { keys: await listKeys(tx.db), rows: added })
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
    if (applied.gone.has(id)) continue
    await context.indexSession(id, lease)
    await reuseVectors(store, id, lease)
  }
  await onStep?.('artifacts')
  const changed = applied.touched.size + applied.gone.size + (selection?.stale.size ?? 0) > 0
  // A process that died may have left files that the database does not know.
  const paths = await remakeArtifacts(context, { changed, files: selection === undefined })
  const orphans = await removeOrphans(store, lease.check)
  await context.exportAgain()
  return { applied, tables: { ...applied.tables, ...orphans }, paths }
}

/** The larger of two counts of the same rows; those that are none are left out. */
function positive(...counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const all = new Map<string, number>()
  for (const [name, count] of counts.flatMap((one) => Object.entries(one))) all.set(name, Math.max(all.get(name) ?? 0, count))
  return Object.fromEntries([...all].filter(([, count]) => count > 0))
}

function isAnew({ rewritten: anew, logEmptied }: Erased): boolean {
  return anew && logEmptied
}

function held(
  places: Places & { readonly store: Store },
  { scan, erased }: Proof,
  removed: readonly string[],
): Pick<Receipt, 'status' | 'scan' | 'still_held' | 'removed_paths'> {
  const still: Receipt['still_held'][number][] = scan.holding.map((one) => ({ path: one.path, owner: ownerOf(one, places) }))
  // Old versions of what went may be in it as long as it was not written anew, whether or not a piece of them was found.
  if (!isAnew(erased) && !still.some(({ path }) => path === places.store.location)) {
    still.push({ path: places.store.location, owner: 'mnemonic' })
  }
  const status = still.length + scan.unreadable.length === 0 ? 'gone' : 'still_held'
  return { status, scan: scanOf(scan, erased), still_held: still, removed_paths: removed }
}

/** Stands in a receipt for a path that holds the text. */
const HIDDEN = '(a path that holds it)'

/** What was given as a reason before, and paths that earlier receipts name, may hold it. */
async function clearNotes({ store, home, workspace }: ForgetContext, match: string | undefined): Promise<void> {
  if (match === undefined) return
  if (await store.write((tx) => blankHeldReasons(tx, textMatch(match)))) {
    await writeTombstoneFile(workspace, { keys: await listKeys(store.read), rows: await listTombstones(store) })
    await markSettled(store, workspace)
  }
  for (const receipt of await listReceipts(home)) {
    const clean = discreet(receipt, match)
    if (JSON.stringify(clean) !== JSON.stringify(receipt)) await writeReceipt(home, clean)
  }
}

/** A receipt that names no path in which the text stands. */
function discreet(receipt: Receipt, match: string | undefined): Receipt {
  if (match === undefined) return receipt
  const told = textMatch(match)
  const shown = (path: string) => (told.holds(path) ? HIDDEN : path)
  const { scan, still_held, backups, warnings, reason, removed_paths } = receipt
  return {
    ...receipt,
    reason: told.holds(reason) ? NO_REASON : reason,
    removed_paths: removed_paths.map(shown),
    scan: { ...scan, unreadable: scan.unreadable.map(shown) },
    still_held: still_held.map((one) => ({ ...one, path: shown(one.path) })),
    backups: backups.map((one) => ({ ...one, path: shown(one.path) })),
    warnings: warnings.filter((warning) => !told.holds(warning)),
  }
}

/** A file that could not be written anew is left to whoever comes next. */
async function sign(context: ForgetContext, receipt: Receipt, erased: Erased): Promise<ForgetReport> {
  await context.onStep?.('receipt')
  const receipt_path = await writeReceipt(context.home, receipt)
  await (isAnew(erased) ? clearPending : leaveBytes)(context.store)
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
  try {
    const { removed, backups } = pending.left === 'bytes' ? NOTHING_LEFT : await removeAgain(context, lease)
    await leaveBytes(store)
    await context.onStep?.('erase')
    await store.rebuildText()
    const erased = await store.erase({ rewrite: true })
    const warnings = erased.logEmptied ? [] : [LOG_HELD]
    const scan = { files: 0, bytes: 0, needles: 0, holding: [], unreadable: [] }
    const receipt: Receipt = {
      ...{ id: receiptId(clock(), randomBytes(3).toString('hex')), selector: pending.selector, whole: null, reason: 'resumed' },
      ...{
        at: toIso(clock()),
        status: isAnew(erased) ? 'removed' : 'still_held',
        removed: positive(removed.applied.counts),
        tables: positive(removed.tables),
        tombstones: 0,
      },
      ...{ removed_paths: removed.paths, scan: scanOf(scan, erased), backups, warnings },
      still_held: isAnew(erased) ? [] : [{ path: store.location, owner: 'mnemonic' }],
    }
    return await sign({ ...context, home }, receipt, erased)
  } finally {
    await store.overwriteDeleted(false)
  }
}

const NOTHING_LEFT: { removed: Removed; backups: Receipt['backups'] } = {
  removed: { applied: { touched: new Set(), gone: new Set(), counts: {}, tables: {} }, tables: {}, paths: [] },
  backups: [],
}

async function removeAgain(context: ForgetContext, lease: Lease): Promise<typeof NOTHING_LEFT> {
  const removed = await removeAll(context, undefined, lease)
  const copies = await listBackups(context.store)
  const backups = await cleanCopies(
    context,
    copies.map((path) => ({ path })),
  )
  return { removed, backups }
}
