/** Writes what a batch collected, in an order in which every reference has its target. */
import type { NewMessage } from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import type { Batch, UnitState } from './batch.ts'
import { messageRow, metadataJson } from './batch-message.ts'
import { savePendingTitles } from './pending-titles.ts'
import { saveSession } from './session-state.ts'
import { splitTurn } from './split-turn.ts'
import { writeFacts } from './write-facts.ts'
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
  await tx.agents.setToolResults(batch.results)
  await writeTurns(tx, turns)
  await writeFacts(unit, tx, batch, turns)
  await writeCompactions(tx, batch, turns)
  await savePendingTitles(tx, unit.source, batch.titles)
  for (const prompt of batch.splits) await splitTurn(tx, prompt)
  if (batch.splits.size > 0) unit.recent.clear() // its turns may be out of date now
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
