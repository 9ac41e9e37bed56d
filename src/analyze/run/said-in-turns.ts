/** Prompts and final answers per turn, trimmed like `aix-events`. */
import type { Kysely } from 'kysely'
import { padded } from '../../core/padded.ts'
import type { Trust } from '../../core/trust.ts'
import type { Tables } from '../../store/tables.ts'
import type { EpisodeMessage } from '../analyzer.ts'

export interface TurnOfSpeech {
  readonly id: string
  readonly timestamp: number | null
  readonly query_message_ids: string
  readonly response_message_id: string | null
}

/** By turn id. Messages without a time get the turn's, else `fallback`. */
export async function saidInTurns(
  db: Kysely<Tables>,
  turns: readonly TurnOfSpeech[],
  fallback: number,
): Promise<Map<string, EpisodeMessage[]>> {
  const asked = new Map(turns.map((turn) => [turn.id, JSON.parse(turn.query_message_ids) as string[]]))
  const ids = turns.flatMap(({ id, response_message_id: answer }) => [...(asked.get(id) ?? []), ...(answer === null ? [] : [answer])])
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('agent_messages')
    .select(['id', 'content', 'timestamp', 'speaker', 'trust'])
    .where('id', 'in', padded(ids))
    .execute()
  const messages = new Map(rows.map((row) => [row.id, row]))
  const said = (turn: TurnOfSpeech, id: string | null, by: 'person' | 'agent'): EpisodeMessage[] => {
    const message = messages.get(id ?? '')
    if (message?.content == null || message.content.trim() === '' || (by === 'person' && message.trust === 'agent')) return []
    return [
      {
        ...{ message: message.id, text: message.content, by, to: by === 'person' ? 'agent' : 'people' },
        ...{ timestamp: message.timestamp ?? turn.timestamp ?? fallback, trust: message.trust as Trust },
        ...{ handle: null, speaker: message.speaker, isOwner: by === 'person' && message.trust === 'owner', turn: turn.id },
      },
    ]
  }
  return new Map(
    turns.map((turn) => [
      turn.id,
      [...(asked.get(turn.id) ?? []).flatMap((id) => said(turn, id, 'person')), ...said(turn, turn.response_message_id, 'agent')],
    ]),
  )
}
