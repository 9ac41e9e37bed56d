/** One episode per turn, even for abandoned turns. */
import type { Kysely, Selectable } from 'kysely'
import { compiledOnce } from '../store/compiled-once.ts'
import type { AgentMessagesTable, AgentSessionsTable, AgentTurnsTable, Tables } from '../store/tables.ts'
import type { GroupingRule } from './definitions.ts'
import { episodeId } from './episode-id.ts'
import { trustOfSpeech } from './trust-of-speech.ts'
import type { MadeEpisode } from './write-episodes.ts'

type Session = Selectable<AgentSessionsTable>
type Message = Pick<Selectable<AgentMessagesTable>, 'id' | 'turn_id' | 'role' | 'timestamp' | 'trust'>
export type Turn = Pick<Selectable<AgentTurnsTable>, 'id' | 'opener_id' | 'sequence' | 'timestamp'>

export const TURNS_AT_ONCE = 100

export const turnsFrom = compiledOnce<{ session: string; from: number }, Turn>((db, { session, from }) =>
  db
    .selectFrom('agent_turns')
    .select(['id', 'opener_id', 'sequence', 'timestamp'])
    .where('session_id', '=', session)
    .where('sequence', '>=', from)
    .orderBy('sequence')
    .orderBy('id')
    .limit(TURNS_AT_ONCE),
)

/** Keyed by the opening message: a turn's own id changes with its last answer. */
export const turnEpisodeId = (rule: GroupingRule, session: string, opener: string) => episodeId(rule.id, session, opener)

export async function turnEpisodes(
  db: Kysely<Tables>,
  { rule, session, turns }: { rule: GroupingRule; session: Session; turns: readonly Turn[] },
): Promise<MadeEpisode[]> {
  const messages = await messagesOf(db, turns)
  return turns.flatMap((turn) => {
    const said = messages.get(turn.id)
    return said === undefined ? [] : [episodeOf(rule, session, turn, said)]
  })
}

async function messagesOf(db: Kysely<Tables>, turns: readonly Turn[]): Promise<Map<string, Message[]>> {
  const of = new Map<string, Message[]>()
  const ids = turns.map(({ id }) => id)
  const rows = await db
    .selectFrom('agent_messages')
    .select(['id', 'turn_id', 'role', 'timestamp', 'trust'])
    .where('turn_id', 'in', ids)
    .orderBy('sequence')
    .execute()
  for (const row of rows) {
    const said = of.get(row.turn_id ?? '')
    if (said) said.push(row)
    else of.set(row.turn_id ?? '', [row])
  }
  return of
}

function episodeOf(rule: GroupingRule, session: Session, turn: Turn, messages: readonly Message[]): MadeEpisode {
  const fallback = turn.timestamp ?? session.started_at ?? session.created_at ?? 0
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { timestamp } of messages) {
    if (timestamp === null) continue
    start = Math.min(start, timestamp)
    end = Math.max(end, timestamp)
  }
  return {
    id: turnEpisodeId(rule, session.id, turn.opener_id),
    definition_id: rule.id,
    channel: session.source,
    thread_id: session.id,
    agent_id: session.agent_id,
    start_time: Number.isFinite(start) ? start : fallback,
    end_time: Number.isFinite(end) ? end : fallback,
    event_count: messages.length,
    first_event_id: turn.opener_id,
    last_event_id: messages.at(-1)?.id ?? turn.opener_id,
    trust: trustOfSpeech(messages),
  }
}
