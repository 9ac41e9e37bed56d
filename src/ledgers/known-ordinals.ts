/**
 * Lines without a name are known by their number and their text. Where lines were inserted, taken out or moved, the number is another one: the
 * text tells which stored message a line is, so that nothing is stored twice.
 */
import { ordinalId } from '../core/ids.ts'
import type { WriteTx } from '../store/store.ts'
import type { AgentRecord, MessageRecord } from './agent-record.ts'
import type { SessionState } from './session-state.ts'
import type { Telling } from './telling.ts'
import { sessionOf, type Unit } from './unit.ts'

const NAMELESS = /^(\d+)-([0-9a-f]{8})$/

export async function knownOrdinals(unit: Unit, tx: WriteTx, records: readonly AgentRecord[]): Promise<readonly AgentRecord[]> {
  if (![...unit.sessions.values()].some(({ telling }) => telling?.again && telling.alone)) return records
  const settled: AgentRecord[] = []
  for (const record of records) settled.push(record.type === 'message' ? await withKnownOrdinal(unit, tx, record) : record)
  return settled
}

async function withKnownOrdinal(unit: Unit, tx: WriteTx, record: MessageRecord): Promise<MessageRecord> {
  const state = sessionOf(unit, record.session)
  const { telling } = state
  if (record.id !== undefined || record.ordinal === undefined || !telling?.again || !telling.alone) return record
  telling.ordinals ??= await ordinalsOf(tx, state)
  const ordinal = await ordinalOf(tx, record, { state, telling, ordinals: telling.ordinals })
  return ordinal === record.ordinal ? record : { ...record, ordinal }
}

interface At {
  readonly state: SessionState
  readonly telling: Telling
  readonly ordinals: Map<string, number[]>
}

async function ordinalOf(tx: WriteTx, record: MessageRecord, { state, ordinals }: At): Promise<number> {
  const { role, text } = record
  const hash = ordinalId(0, role, text).slice(2)
  const left = ordinals.get(hash) ?? []
  for (let ordinal = left.shift(); ordinal !== undefined; ordinal = left.shift()) {
    const id = `${state.id}/${ordinalId(ordinal, role, text)}`
    if ((await tx.agents.messages([id])).get(id)?.content === text) return ordinal
  }
  // A line that says once more what another line, under this number, says already.
  let ordinal = record.ordinal as number
  for (let step = 0; await isTaken(tx, state, ordinalId(ordinal, role, text)); step++) ordinal = step
  return ordinal
}

/** By a message of the ledger, also one that an earlier line of this batch will become. */
async function isTaken(tx: WriteTx, { id, telling }: SessionState, nativeId: string): Promise<boolean> {
  const message = `${id}/${nativeId}`
  if (telling?.taken.has(message)) return true
  if (!(await tx.agents.messages([message])).has(message)) {
    telling?.taken.add(message)
    return false
  }
  return true
}

/** Those of current messages first, each in their order: a file that did not change finds them as they are. */
async function ordinalsOf(tx: WriteTx, { id }: SessionState): Promise<Map<string, number[]>> {
  const rows = await tx.db
    .selectFrom('agent_messages as m')
    .leftJoin('agent_turns as t', 't.opener_id', 'm.opener_id')
    .select(['m.native_id', 't.status'])
    .where('m.session_id', '=', id)
    .orderBy('m.sequence')
    .execute()
  const ordinals = new Map<string, number[]>()
  for (const isLeft of [false, true]) {
    for (const { native_id, status } of rows) {
      const [, ordinal, hash] = NAMELESS.exec(native_id) ?? []
      if (ordinal === undefined || hash === undefined || (status === 'superseded') !== isLeft) continue
      const known = ordinals.get(hash)
      if (known === undefined) ordinals.set(hash, [Number(ordinal)])
      else known.push(Number(ordinal))
    }
  }
  return ordinals
}
