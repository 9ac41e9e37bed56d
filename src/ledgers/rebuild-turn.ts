/** Makes the row of a turn again from the messages it has now: after its messages were reordered, split up or removed. */
import { countMessageTokens } from '../core/tokens.ts'
import type { MessageRow, NewTurn, TurnRow } from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import { isSpeech } from './batch-message.ts'

/** A turn that was split or lost messages. `messages` in their order, at least one. */
export async function rebuiltTurn(tx: WriteTx, was: TurnRow, messages: readonly MessageRow[], parent: string | null): Promise<NewTurn> {
  const [opener] = messages as [MessageRow, ...MessageRow[]]
  const ids = messages.map(({ id }) => id)
  return {
    ...(await turnOfMessages(tx, was.session_id, ids, was)),
    ...{ parent_turn_id: parent, sequence: opener.sequence, timestamp: opener.timestamp, turn_type: was.turn_type, status: was.status },
  }
}

const AT_ONCE = 500

/** The row of a turn of these messages, in order. Its parent, sequence and status are set by the caller. */
export async function turnOfMessages(tx: WriteTx, session: string, ids: readonly string[], was: TurnRow | undefined): Promise<NewTurn> {
  let [first, answer, last, model] = ['', null as string | null, '', null as string | null]
  let [tokens, calls, kind, timestamp] = [0, 0, '', null as number | null]
  const prompts: string[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE)
    const messages = await tx.agents.messages(some)
    for (const id of some) {
      const message = messages.get(id)
      if (message === undefined) continue
      if (first === '') [first, kind, timestamp] = [id, message.kind, message.timestamp]
      if (message.role === 'assistant' && message.content?.trim()) answer = id
      if (message.kind === 'prompt') prompts.push(id)
      if (isSpeech(message.role)) tokens += countMessageTokens(message.content ?? '')
      timestamp ??= message.timestamp
      model = message.model ?? model
      last = id
    }
    const { count } = await tx.db
      .selectFrom('agent_tool_calls')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('message_id', 'in', some)
      .executeTakeFirstOrThrow()
    calls += count
  }
  return {
    id: answer ?? last,
    session_id: session,
    parent_turn_id: null,
    opener_id: first,
    sequence: 0,
    query_message_ids: JSON.stringify(prompts),
    response_message_id: answer,
    model,
    provider: was?.provider ?? null,
    token_count: tokens,
    message_count: ids.length,
    tool_call_count: calls,
    timestamp,
    has_children: 0,
    turn_type: kind === 'summary' ? 'compaction' : 'normal',
    status: 'final',
    label: null,
    summary: null,
    topics: null,
    entity_ids: null,
  }
}
