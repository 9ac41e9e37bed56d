import type { MessageRef, NewMessage } from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import type { MessageRecord, TurnRecord } from './agent-record.ts'
import { type Batch, findRecord, sessionOf, type UnitState } from './batch.ts'
import { messageRow, metadataJson } from './batch-message.ts'
import { savePendingTitles } from './pending-titles.ts'
import { splitTurn } from './rebuild-turn.ts'
import { saveSession } from './session-state.ts'
import { type TurnWork, turnsOf, writeTurns } from './write-turns.ts'

export async function writeBatch(unit: UnitState, tx: WriteTx, batch: Batch): Promise<void> {
  for (const state of unit.sessions.values()) if (state.dirty) await saveSession(tx, state)
  const turns = await turnsOf(tx, batch.messages.values())
  const fresh: NewMessage[] = []
  for (const message of batch.messages.values()) {
    const { id, text: content, timestamp, model, extras } = message
    if (message.isStored) await tx.agents.mergeMessage({ id, content, metadata_json: metadataJson(message), timestamp, model, ...extras })
    else fresh.push(messageRow(message, turns.get(message.opener_id)?.id ?? message.opener_id))
  }
  await tx.agents.addMessages(fresh)
  await tx.agents.dropRecords(unit.source, [...batch.replaced])
  await tx.agents.addRecords(unit.source, [...batch.records.values()])
  await tx.agents.addToolCalls([...batch.calls.values()])
  await tx.agents.changeToolCalls(batch.callChanges)
  await tx.agents.ownToolCalls(batch.callOwners)
  await tx.agents.setToolResults(batch.results)
  await writeTurns(tx, turns)
  await writeFacts(unit, tx, batch, turns)
  await writeCompactions(tx, batch, turns)
  await savePendingTitles(tx, unit, batch.titles)
  for (const prompt of batch.splits) await splitTurn(tx, prompt)
  if (batch.splits.size > 0) unit.recent.clear()
}

async function writeCompactions(tx: WriteTx, batch: Batch, turns: ReadonlyMap<string, TurnWork>): Promise<void> {
  for (const { message, record } of batch.compactions) {
    batch.count += 1
    await tx.db
      .insertInto('agent_compactions')
      .values({
        id: message.id,
        session_id: message.session_id,
        turn_id: turns.get(message.opener_id)?.id ?? message.id,
        summary: message.text,
        trigger: record.compaction?.trigger ?? null,
        tokens_before: record.compaction?.tokensBefore ?? null,
        timestamp: message.timestamp,
        metadata_json: record.compaction?.metadata === undefined ? null : JSON.stringify(record.compaction.metadata),
      })
      .execute()
  }
}

/** Turn facts, and data that older versions did not store for duplicates. Idempotent. */
async function writeFacts(unit: UnitState, tx: WriteTx, batch: Batch, turns: ReadonlyMap<string, TurnWork>): Promise<void> {
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

/** Nothing derived depends on this, so the session does not count as changed. */
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

/** The result states its call's start; the call is in another message. */
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
