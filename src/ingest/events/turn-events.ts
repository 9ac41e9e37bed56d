/** The two events of a turn: what was asked, in one piece, and the final answer. A turn without one of them gives the other alone. */
import type { Selectable } from 'kysely'
import type { NewEvent } from '../../ledgers/events-writer.ts'
import type { WriteTx } from '../../store/store.ts'
import type { AgentMessagesTable, AgentSessionsTable, AgentTurnsTable } from '../../store/tables.ts'

type Turn = Pick<Selectable<AgentTurnsTable>, 'id' | 'timestamp' | 'query_message_ids' | 'response_message_id'>
type Message = Pick<Selectable<AgentMessagesTable>, 'id' | 'content' | 'timestamp' | 'speaker' | 'trust'>

export async function turnEvents(tx: WriteTx, session: Selectable<AgentSessionsTable>, turns: readonly Turn[]): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  for (const turn of turns) events.push(...(await eventsOf(tx, session, turn)))
  return events
}

async function eventsOf(tx: WriteTx, session: Selectable<AgentSessionsTable>, turn: Turn): Promise<NewEvent[]> {
  const queries = JSON.parse(turn.query_message_ids) as string[]
  const ids = [...queries, ...(turn.response_message_id === null ? [] : [turn.response_message_id])]
  if (ids.length === 0) return []
  const rows = await tx.db
    .selectFrom('agent_messages')
    .select(['id', 'content', 'timestamp', 'speaker', 'trust'])
    .where('id', 'in', ids)
    .execute()
  const messages = new Map(rows.map((row) => [row.id, row]))
  // What a schedule or a hook asks is nobody's speech.
  const asked = queries.flatMap((id) => messages.get(id) ?? []).filter((message) => hasText(message) && message.trust !== 'agent')
  const answer = messages.get(turn.response_message_id ?? '')
  const fallback = turn.timestamp ?? session.started_at ?? session.created_at ?? 0
  const event = (part: 'user' | 'assistant', direction: 'sent' | 'received', said: readonly Message[]): NewEvent => ({
    id: `aix_turn_${part}:${turn.id}`,
    timestamp: said[0]?.timestamp ?? fallback,
    channel: session.source,
    content_types: '["text"]',
    content: said.map(({ content }) => content).join('\n\n'),
    direction,
    thread_id: `aix_session:${session.id}`,
    reply_to: part === 'assistant' && asked.length > 0 ? `aix_turn_user:${turn.id}` : null,
    source_adapter: 'aix-events',
    source_id: `${turn.id}:${part}`,
    speaker: said[0]?.speaker ?? null,
    trust: said[0]?.trust ?? 'untrusted',
    agent_id: session.agent_id,
    metadata_json: JSON.stringify({ turn_id: turn.id, session_id: session.id }),
  })
  return [
    ...(asked.length > 0 ? [event('user', 'sent', asked)] : []),
    ...(answer !== undefined && hasText(answer) ? [event('assistant', 'received', [answer])] : []),
  ]
}

function hasText({ content }: Message): boolean {
  return content !== null && content.trim() !== ''
}
