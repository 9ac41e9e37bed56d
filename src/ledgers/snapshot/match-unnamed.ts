/** Lines without an id are matched by number and text. If lines moved, the text decides, so that nothing is stored twice. */
import { ordinalId } from '../../core/ids.ts'
import type { WriteTx } from '../../store/store.ts'
import type { AgentRecord, MessageRecord } from '../agent-record.ts'
import { sessionOf, type UnitState } from '../batch.ts'
import type { SessionState } from '../session-state.ts'

const UNNAMED = /^(\d+)-([0-9a-f]{8})$/

export async function matchUnnamed(unit: UnitState, tx: WriteTx, records: readonly AgentRecord[]): Promise<readonly AgentRecord[]> {
  if (![...unit.sessions.values()].some(({ snapshot }) => snapshot?.isOwn && snapshot.isOnly)) return records
  const matched: AgentRecord[] = []
  for (const record of records) matched.push(record.type === 'message' ? await withStoredOrdinal(unit, tx, record) : record)
  return matched
}

async function withStoredOrdinal(unit: UnitState, tx: WriteTx, record: MessageRecord): Promise<MessageRecord> {
  const state = sessionOf(unit, record.session)
  const { snapshot } = state
  if (record.id !== undefined || record.ordinal === undefined || !snapshot?.isOwn || !snapshot.isOnly) return record
  snapshot.ordinals ??= await ordinalsOf(tx, state)
  const ordinal = await ordinalOf(tx, record, state, snapshot.ordinals)
  return ordinal === record.ordinal ? record : { ...record, ordinal }
}

async function ordinalOf(tx: WriteTx, record: MessageRecord, state: SessionState, ordinals: Map<string, number[]>): Promise<number> {
  const { role, text } = record
  const hash = ordinalId(0, role, text).slice(2)
  const left = ordinals.get(hash) ?? []
  for (let ordinal = left.shift(); ordinal !== undefined; ordinal = left.shift()) {
    const id = `${state.id}/${ordinalId(ordinal, role, text)}`
    if ((await tx.agents.messages([id])).get(id)?.content === text) return ordinal
  }
  // Another line has the same text and number.
  let ordinal = record.ordinal as number
  for (let step = 0; await isTaken(tx, state, ordinalId(ordinal, role, text)); step++) ordinal = step
  return ordinal
}

async function isTaken(tx: WriteTx, { id, snapshot }: SessionState, nativeId: string): Promise<boolean> {
  const message = `${id}/${nativeId}`
  if (snapshot?.added.has(message)) return true
  if (!(await tx.agents.messages([message])).has(message)) {
    snapshot?.added.add(message)
    return false
  }
  return true
}

/** Current messages first, so that an unchanged file matches itself. */
async function ordinalsOf(tx: WriteTx, { id }: SessionState): Promise<Map<string, number[]>> {
  const rows = await tx.db
    .selectFrom('agent_messages as m')
    .leftJoin('agent_turns as t', 't.opener_id', 'm.opener_id')
    .select(['m.native_id', 't.status'])
    .where('m.session_id', '=', id)
    .orderBy('m.sequence')
    .execute()
  const ordinals = new Map<string, number[]>()
  for (const isSuperseded of [false, true]) {
    for (const { native_id, status } of rows) {
      const [, ordinal, hash] = UNNAMED.exec(native_id) ?? []
      if (ordinal === undefined || hash === undefined || (status === 'superseded') !== isSuperseded) continue
      const known = ordinals.get(hash)
      if (known === undefined) ordinals.set(hash, [Number(ordinal)])
      else known.push(Number(ordinal))
    }
  }
  return ordinals
}
