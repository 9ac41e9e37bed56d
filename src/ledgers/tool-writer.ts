/** Tool calls and their results. A result joins its call wherever the call is: in this batch, in the ledger, in another session. */
import { messageId } from '../core/ids.ts'
import type { MessageRecord, ToolResultPart } from './agent-record.ts'
import type { DraftMessage } from './draft-message.ts'
import type { SessionState } from './session-state.ts'
import type { Batch, Unit } from './unit.ts'

interface At {
  readonly state: SessionState
  readonly draft: DraftMessage
}

export async function addTools(unit: Unit, batch: Batch, record: MessageRecord, { state, draft }: At): Promise<void> {
  for (const call of record.toolCalls ?? []) {
    const id = messageId(state.id, call.id)
    if (batch.calls.has(id) || (await batch.tx.agents.hasToolCall(id))) continue
    batch.calls.set(id, {
      id,
      native_id: call.id,
      message_id: draft.id,
      session_id: state.id,
      tool_name: call.name,
      tool_number: draft.newCalls,
      params_json: call.params,
      started_at: record.timestamp ?? null,
    })
    draft.newCalls += 1
    batch.count += 1
  }
  for (const result of record.toolResults ?? []) await addResult(unit, batch, result, { state, draft })
}

async function addResult(unit: Unit, batch: Batch, result: ToolResultPart, { state, draft }: At): Promise<void> {
  const id = messageId(state.id, result.callId)
  const values = {
    result_json: result.result,
    status: result.isError ? 'error' : 'completed',
    result_message_id: draft.id,
    child_native_id: result.childSession ?? null,
    completed_at: draft.timestamp,
  }
  const pending = batch.calls.get(id)
  if (pending) return void Object.assign(pending, values)
  const known = await batch.tx.agents.toolCall(unit.source, state.id, result.callId)
  if (known !== undefined) return batch.tx.agents.setToolResult({ id: known, ...values })
  // A result whose call is nowhere (a slice of a session): kept, so that nothing the source said is lost.
  batch.calls.set(id, { id, native_id: result.callId, message_id: draft.id, session_id: state.id, ...values })
  draft.newCalls += 1
  batch.count += 1
}
