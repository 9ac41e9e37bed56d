/** Where reading stopped, unit by unit: so that unchanged, grown and rewritten units are told apart. */
import { existsSync } from 'node:fs'
import type { Insertable, Kysely, Selectable } from 'kysely'
import { sha256 } from '../core/hash.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { Store, WriteTx } from '../store/store.ts'
import type { SyncStateTable, Tables } from '../store/tables.ts'
import type { Tombstones } from '../tombstones/tombstones.ts'
import { holdsForgotten, holdsForgottenText, isForgotten, namesForgottenSession } from '../tombstones/without-forgotten.ts'
import type { Checkpoint, SourceUnit, UnitReader } from './adapter.ts'

export type UnitState = Selectable<SyncStateTable>

/** How many bytes before the offset are compared to see that a file only grew. */
const TAIL = 4096

/** What survives between two reads of a unit besides the adapter's own memory. */
export interface Carry {
  readonly adapter: unknown
  /** Sessions the unit gave. */
  readonly own: readonly string[]
  /** Sessions changed but not finished, when a read was cut off. */
  readonly touched: readonly string[]
  /** Sessions that the owner's configuration keeps out, by native id. */
  readonly ignored: readonly string[]
  /** The unit was rewritten, and its order is not that of the ledger: whatever it looks like, it is read from its beginning. */
  readonly startsOver?: boolean
}

export interface CleanCarry {
  readonly carry: Carry
  /** False: the unit is read from its beginning whenever it changes. */
  readonly isKept: boolean
  /** It belongs to a session that was forgotten, so nothing else may be noted of the unit either. */
  readonly ofSession: boolean
}

/** What may be kept of a carry that holds something forgotten. `source` names the sessions inside the adapter's part. */
export function carryWithoutForgotten(carry: Carry, source: string, tombstones: Tombstones | undefined): CleanCarry {
  if (tombstones === undefined) return { carry, isKept: true, ofSession: false }
  const names = (value: unknown) => namesForgottenSession(value, source, tombstones)
  const holds = (part: unknown) => holdsForgotten(part, tombstones) || holdsForgottenText(part, carry.own, tombstones)
  const own = carry.own.filter((id) => !names(id) && !isForgotten(id, tombstones))
  const ofSession = names(carry)
  if (!ofSession && !holds(carry)) return { carry, isKept: true, ofSession }
  const stamps = withoutStamps(carry.adapter, (value) => names(value) || holds(value))
  if (stamps === undefined) return { carry: { ...EMPTY_CARRY, own }, isKept: false, ofSession }
  const touched = carry.touched.filter((id) => own.includes(id))
  return { carry: { ...carry, adapter: stamps, own, touched }, isKept: true, ofSession }
}

/** Databases carry a stamp a session, and nothing else: one that is gone is only read again. Undefined for any other memory of an adapter. */
function withoutStamps(memory: unknown, isGone: (entry: unknown) => boolean): unknown {
  if (typeof memory !== 'object' || memory === null || Object.keys(memory).join() !== 'sessions') return undefined
  const { sessions } = memory as { sessions: unknown }
  if (Array.isArray(sessions)) return { sessions: sessions.filter((entry) => !isGone(entry)) }
  if (typeof sessions !== 'object' || sessions === null) return undefined
  return { sessions: Object.fromEntries(Object.entries(sessions).filter((entry) => !isGone(entry))) }
}

/** The carry of a unit that is read from its beginning: other units must still see which sessions it holds. */
export function ownOnly(own: readonly string[]): string | null {
  return own.length === 0 ? null : JSON.stringify({ own })
}

const EMPTY_CARRY: Carry = { adapter: undefined, own: [], touched: [], ignored: [] }

/** What the database calls a unit: its path, unless it has another name. */
export function unitName({ name, path }: SourceUnit): string {
  return name ?? path
}

export async function loadStates(store: Store, adapter: string): Promise<Map<string, UnitState>> {
  const rows = await store.read.selectFrom('sync_state').selectAll().where('adapter', '=', adapter).execute()
  return new Map(rows.map((row) => [row.path, row]))
}

/** Tools that copy or restore a file keep its time to the millisecond at best. */
const SAME_MS = 2

/** Same fingerprint, and the last read came to its end: the unit need not be opened. */
export function isUnchanged(unit: SourceUnit, state: UnitState | undefined): boolean {
  return state !== undefined && state.status !== 'reading' && state.size === unit.size && isSameTime(unit, state)
}

function isSameTime(unit: SourceUnit, state: UnitState): boolean {
  return Math.abs(state.mtime_ms - unit.mtimeMs) < SAME_MS
}

export function carryOf(state: Pick<UnitState, 'carry_json'> | undefined): Carry {
  return state?.carry_json ? { ...EMPTY_CARRY, ...(JSON.parse(state.carry_json) as Partial<Carry>) } : EMPTY_CARRY
}

/** Where to go on reading; undefined when the unit must be read from its beginning. */
export async function resumePoint(unit: SourceUnit, state: UnitState | undefined, reader: UnitReader): Promise<Checkpoint | undefined> {
  if (state === undefined || state.status === 'quarantined' || state.offset === 0 || unit.size < state.offset) return undefined
  // As long as before, and written since: it did not grow.
  if (unit.size === state.size && !isSameTime(unit, state)) return undefined
  return (await tailHash(unit.path, state.offset, reader)) === state.tail_hash
    ? { offset: state.offset, carry: carryOf(state).adapter }
    : undefined
}

/** What the last read of a unit that is rewritten in place remembered. */
export function carriedOver(state: UnitState | undefined): Checkpoint | undefined {
  return state === undefined || state.status === 'quarantined' ? undefined : { offset: 0, carry: carryOf(state).adapter }
}

export async function tailHash(path: string, offset: number, reader: UnitReader): Promise<string> {
  const length = Math.min(TAIL, offset)
  return sha256(await reader.slice(path, offset - length, length))
}

/**
 * Which sessions of a unit other units of the same adapter hold too: what one of them drops, another may still hold. Asked at most once
 * a unit, and only where a session is written anew. A unit that is gone holds nothing any more.
 */
export function sharedSessions(adapter: string, unit: SourceUnit, own: readonly string[]): (tx: WriteTx) => Promise<ReadonlySet<string>> {
  let known: ReadonlySet<string> | undefined
  return async (tx) => {
    known ??= await heldByOthers(tx, adapter, unit, new Set(own))
    return known
  }
}

async function heldByOthers(tx: WriteTx, adapter: string, unit: SourceUnit, own: ReadonlySet<string>): Promise<Set<string>> {
  const units = await tx.db
    .selectFrom('sync_state')
    .select(['path', 'carry_json'])
    .where('adapter', '=', adapter)
    .where('path', '<>', unitName(unit))
    .where('carry_json', 'is not', null)
    .execute()
  const shared = units.map(({ path, carry_json }) => {
    const held = (JSON.parse(carry_json as string) as { own?: readonly string[] }).own ?? []
    const both = held.filter((session) => own.has(session))
    return both.length > 0 && existsSync(path) ? both : []
  })
  return new Set(shared.flat())
}

/** How far a unit was read. */
export type Progress = Required<Omit<Insertable<SyncStateTable>, 'file_hash'>>

export async function saveProgress(tx: WriteTx, progress: Progress): Promise<void> {
  await putProgress(tx.db, progress)
}

const putProgress = compiledOnce((db, row: Progress) => {
  const { adapter, path, size, mtime_ms, offset, tail_hash, carry_json, records, status, session_id, reads, updated_at } = row
  return putState(db, { adapter, path, size, mtime_ms, offset, tail_hash, carry_json, records, status, session_id, reads, updated_at })
})

/** Writes the given columns of a unit's row; the others stay as they are. */
export async function saveState(tx: WriteTx, row: Insertable<SyncStateTable>): Promise<void> {
  await putState(tx.db, row).execute()
}

function putState(db: Kysely<Tables>, row: Insertable<SyncStateTable>) {
  const { adapter, path, ...values } = row
  return db
    .insertInto('sync_state')
    .values(row)
    .onConflict((conflict) => conflict.columns(['adapter', 'path']).doUpdateSet(values))
}

export async function removeState(tx: WriteTx, adapter: string, path: string): Promise<void> {
  await tx.db.deleteFrom('sync_state').where('adapter', '=', adapter).where('path', '=', path).execute()
}
