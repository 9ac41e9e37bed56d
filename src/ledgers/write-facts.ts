/**
 * Writes what records say beyond their messages: facts about turns, and, for duplicates, what an older version of this program did not store.
 * Writing the same again changes nothing.
 */
import type { MessageRef } from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import type { MessageRecord, TurnRecord } from './agent-record.ts'
import { type Batch, findRecord, sessionOf, type UnitState } from './batch.ts'
import type { TurnWork } from './write-turns.ts'

export async function writeFacts(unit: UnitState, tx: WriteTx, batch: Batch, turns: ReadonlyMap<string, TurnWork>): Promise<void> {
  for (const { record, ref } of batch.duplicates) await fillIn(tx, record, ref)
  for (const record of batch.turns) {
    const ref = findRecord(unit, batch, record.at, sessionOf(unit, record.session).id)
    if (ref === undefined) continue
    const work = turns.get(ref.opener_id)
    const isOurs = work !== undefined && (record.firm === true || work.before === undefined)
    if (await tx.agents.setTurnFacts(factsOf(record, ref, isOurs))) unit.changed.add(ref.session_id)
  }
}

function factsOf({ model, provider, tokenCount, timestamp, firm }: TurnRecord, { opener_id }: MessageRef, isOurs: boolean) {
  return {
    opener_id,
    model: model ?? null,
    provider: provider ?? null,
    token_count: firm || isOurs ? (tokenCount ?? null) : null,
    timestamp: timestamp ?? null,
    over: Number(isOurs),
  }
}

/** Nothing that is derived from the message depends on this: the session does not count as changed. */
async function fillIn(tx: WriteTx, record: MessageRecord, ref: MessageRef): Promise<void> {
  const { provider, toolCalls = [], toolResults = [] } = record
  const at = { message_id: ref.id, stand_in: record.timestamp ?? null }
  for (const { id, startedAt } of toolCalls)
    if (typeof startedAt === 'number') await tx.agents.setCallStart({ ...at, native_id: id, time: startedAt })
  for (const { callId, startedAt, completedAt } of toolResults) {
    if (startedAt !== undefined) await setStart(tx, { callId, ref, startedAt, standIn: at.stand_in })
    if (typeof completedAt === 'number') await tx.agents.setCallEnd({ ...at, native_id: callId, time: completedAt })
  }
  if (toolCalls.length > 0) await tx.agents.markAgentic(ref.id)
  if (provider !== undefined) await tx.agents.setTurnFacts({ ...NOTHING, opener_id: ref.opener_id, provider })
}

const NOTHING = { model: null, token_count: null, timestamp: null, over: 0 }

interface Start {
  readonly callId: string
  readonly ref: MessageRef
  readonly startedAt: number
  readonly standIn: number | null
}

/** A result that contains the start of its call: the call belongs to another message. */
async function setStart(tx: WriteTx, { callId, ref, startedAt, standIn }: Start): Promise<void> {
  const calls = await tx.db
    .selectFrom('agent_tool_calls')
    .select('message_id')
    .where('native_id', '=', callId)
    .where('result_message_id', '=', ref.id)
    .execute()
  for (const { message_id } of calls)
    if (message_id !== null) await tx.agents.setCallStart({ native_id: callId, message_id, time: startedAt, stand_in: standIn })
}
