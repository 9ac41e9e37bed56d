/** The row of a turn made again from the messages it has now: after it was taken apart, or lost some of them. */
import { countTokens } from '../core/tokens.ts'
import type { MessageRow, NewTurn, TurnRow } from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import { isSpeech } from './draft-message.ts'

/** `messages` in their order, at least one. */
export async function remadeTurn(tx: WriteTx, was: TurnRow, messages: readonly MessageRow[], parent: string | null): Promise<NewTurn> {
  const [opener] = messages as [MessageRow, ...MessageRow[]]
  const answer = messages.findLast((message) => message.role === 'assistant' && message.content?.trim())
  const ids = messages.map((message) => message.id)
  const calls = await tx.db.selectFrom('agent_tool_calls').select('id').where('message_id', 'in', ids).execute()
  return {
    session_id: was.session_id,
    provider: was.provider,
    turn_type: was.turn_type,
    status: was.status,
    label: null,
    summary: null,
    topics: null,
    entity_ids: null,
    id: answer?.id ?? (messages.at(-1) as MessageRow).id,
    parent_turn_id: parent,
    opener_id: opener.id,
    sequence: opener.sequence,
    query_message_ids: JSON.stringify(messages.filter((message) => message.kind === 'prompt').map((message) => message.id)),
    response_message_id: answer?.id ?? null,
    model: messages.findLast((message) => message.model !== null)?.model ?? null,
    token_count: messages.reduce((sum, { role, content }) => sum + (isSpeech(role) ? countTokens(content ?? '') : 0), 0),
    message_count: messages.length,
    tool_call_count: calls.length,
    timestamp: opener.timestamp,
    has_children: 0,
  }
}
