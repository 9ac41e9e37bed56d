/** Prompt and final answer of a turn as events. Either may be missing. */
import type { Kysely, Selectable } from 'kysely'
import type { Trust } from '../../core/trust.ts'
import type { OneEventRecord } from '../../ledgers/event-record.ts'
import type { AgentMessagesTable, AgentSessionsTable, AgentTurnsTable, Tables } from '../../store/tables.ts'

type Session = Selectable<AgentSessionsTable>
type Turn = Pick<Selectable<AgentTurnsTable>, 'id' | 'timestamp' | 'query_message_ids' | 'response_message_id'>
type Message = Pick<Selectable<AgentMessagesTable>, 'id' | 'content' | 'timestamp' | 'speaker' | 'trust'>

const AT_ONCE = 100

export async function* turnEvents(
  db: Kysely<Tables>,
  session: Session,
  turns: readonly Turn[],
): AsyncGenerator<OneEventRecord, void, undefined> {
  for (let from = 0; from < turns.length; from += AT_ONCE) {
    const some = turns.slice(from, from + AT_ONCE)
    const messages = await messagesOf(db, some)
    for (const turn of some) yield* eventsOf(session, turn, messages)
  }
}

/** Turns that cannot change any more, without compactions. */
export async function finalTurns(db: Kysely<Tables>, session: string): Promise<Turn[]> {
  return db
    .selectFrom('agent_turns')
    .select(['id', 'timestamp', 'query_message_ids', 'response_message_id'])
    .where('session_id', '=', session)
    .where('status', '=', 'final')
    .where('turn_type', '=', 'normal')
    .orderBy('sequence')
    .execute()
}

export function threadIdOf({ id }: Pick<Session, 'id'>): string {
  return `aix_session:${id}`
}

async function messagesOf(db: Kysely<Tables>, turns: readonly Turn[]): Promise<Map<string, Message>> {
  const ids = turns.flatMap((turn) => [...asked(turn), ...(turn.response_message_id === null ? [] : [turn.response_message_id])])
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('agent_messages')
    .select(['id', 'content', 'timestamp', 'speaker', 'trust'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

function asked({ query_message_ids: ids }: Turn): string[] {
  return JSON.parse(ids) as string[]
}

function* eventsOf(session: Session, turn: Turn, messages: ReadonlyMap<string, Message>): Generator<OneEventRecord> {
  // Prompts of schedules and hooks are not speech.
  const questions = asked(turn)
    .flatMap((id) => messages.get(id) ?? [])
    .filter((message) => hasText(message) && message.trust !== 'agent')
  const answer = messages.get(turn.response_message_id ?? '')
  const fallback = turn.timestamp ?? session.started_at ?? session.created_at ?? 0
  const event = (part: 'user' | 'assistant', direction: 'sent' | 'received', said: readonly Message[]): OneEventRecord => ({
    type: 'event',
    id: `aix_turn_${part}:${turn.id}`,
    timestamp: said[0]?.timestamp ?? fallback,
    channel: session.source,
    contentTypes: ['text'],
    content: said.map(({ content }) => content).join('\n\n'),
    direction,
    thread: threadIdOf(session),
    replyTo: part === 'assistant' && questions.length > 0 ? `aix_turn_user:${turn.id}` : null,
    sourceId: `${turn.id}:${part}`,
    speaker: said[0]?.speaker ?? null,
    trust: (said[0]?.trust ?? 'untrusted') as Trust,
    agentId: session.agent_id,
    metadata: { turn_id: turn.id, session_id: session.id },
  })
  if (questions.length > 0) yield event('user', 'sent', questions)
  if (answer !== undefined && hasText(answer)) yield event('assistant', 'received', [answer])
}

function hasText({ content }: Message): boolean {
  return content !== null && content.trim() !== ''
}
