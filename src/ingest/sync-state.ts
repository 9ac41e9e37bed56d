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

/** Bytes before the offset that must be unchanged to resume. */
const TAIL = 4096

export interface Carry {
  readonly adapter: unknown
  readonly own: readonly string[]
  /** Sessions left unfinished by an interrupted read. */
  readonly touched: readonly string[]
  readonly ignored: readonly string[]
  /** The unit was rewritten in another order: reread it in any case. */
  readonly startsOver?: boolean
}

export interface CleanCarry {
  readonly carry: Carry
  /** False: reread the unit whenever it changes. */
  readonly isKept: boolean
  /** The unit belongs to a forgotten session: store nothing else about it. */
  readonly ofSession: boolean
}

/** Removes forgotten data from a carry. `source` names the sessions in the adapter's part. */
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

/** Database carries are stamps per session, so a removed one is just reread. Undefined for other carries. */
function withoutStamps(memory: unknown, isGone: (entry: unknown) => boolean): unknown {
  if (typeof memory !== 'object' || memory === null || Object.keys(memory).join() !== 'sessions') return undefined
  const { sessions } = memory as { sessions: unknown }
  if (Array.isArray(sessions)) return { sessions: sessions.filter((entry) => !isGone(entry)) }
  if (typeof sessions !== 'object' || sessions === null) return undefined
  return { sessions: Object.fromEntries(Object.entries(sessions).filter((entry) => !isGone(entry))) }
}

/** For a unit that must be reread: other units still see its sessions. */
export function ownOnly(own: readonly string[]): string | null {
  return own.length === 0 ? null : JSON.stringify({ own })
}

const EMPTY_CARRY: Carry = { adapter: undefined, own: [], touched: [], ignored: [] }

export function unitName({ name, path }: SourceUnit): string {
  return name ?? path
}

export async function loadStates(store: Store, adapter: string): Promise<Map<string, UnitState>> {
  const rows = await store.read.selectFrom('sync_state').selectAll().where('adapter', '=', adapter).execute()
  return new Map(rows.map((row) => [row.path, row]))
}

/** Copy tools keep mtimes to the millisecond at best. */
const SAME_MS = 2

/** Equal size and mtime, and fully read: no need to open. */
export function isUnchanged(unit: SourceUnit, state: UnitState | undefined): boolean {
  return state !== undefined && state.status !== 'reading' && state.size === unit.size && isSameTime(unit, state)
}

function isSameTime(unit: SourceUnit, state: UnitState): boolean {
  return Math.abs(state.mtime_ms - unit.mtimeMs) < SAME_MS
}

export function carryOf(state: Pick<UnitState, 'carry_json'> | undefined): Carry {
  return state?.carry_json ? { ...EMPTY_CARRY, ...(JSON.parse(state.carry_json) as Partial<Carry>) } : EMPTY_CARRY
}

/** Undefined if the unit must be read from the start. */
export async function resumePoint(unit: SourceUnit, state: UnitState | undefined, reader: UnitReader): Promise<Checkpoint | undefined> {
  if (state === undefined || state.status === 'quarantined' || state.offset === 0 || unit.size < state.offset) return undefined
  // Same size but a new mtime: rewritten, not grown.
  if (unit.size === state.size && !isSameTime(unit, state)) return undefined
  return (await tailHash(unit.path, state.offset, reader)) === state.tail_hash
    ? { offset: state.offset, carry: carryOf(state).adapter }
    : undefined
}

export function carriedOver(state: UnitState | undefined): Checkpoint | undefined {
  return state === undefined || state.status === 'quarantined' ? undefined : { offset: 0, carry: carryOf(state).adapter }
}

export async function tailHash(path: string, offset: number, reader: UnitReader): Promise<string> {
  const length = Math.min(TAIL, offset)
  return sha256(await reader.slice(path, offset - length, length))
}

/** Sessions that other units of the adapter contain too: one unit must not drop them. Queried at most once per unit. */
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

export type Progress = Required<Omit<Insertable<SyncStateTable>, 'file_hash'>>

export async function saveProgress(tx: WriteTx, progress: Progress): Promise<void> {
  await putProgress(tx.db, progress)
}

const putProgress = compiledOnce((db, row: Progress) => {
  const { adapter, path, size, mtime_ms, offset, tail_hash, carry_json, records, status, session_id, reads, updated_at } = row
  return putState(db, { adapter, path, size, mtime_ms, offset, tail_hash, carry_json, records, status, session_id, reads, updated_at })
})

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
