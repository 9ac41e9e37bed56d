/** Which chunks are of turns or conversations that name an entity, as SQL over `index_chunks c`. Values are bound. */
import type { EntityFilter } from '../lexical.ts'

const NAMED = `select m.entity_id, m.episode_id, m.message_id from json_each(@entities) w cross join episode_entity_mentions m on m.entity_id = w.value`

export function entityCondition({ ids, handles }: EntityFilter): {
  readonly sql: string
  readonly params: Readonly<Record<string, string>>
} {
  return {
    sql: `c.id in (
      select k.id from (${NAMED}) n join agent_messages a on a.id = n.message_id join index_files f on f.turn_id = a.turn_id join index_chunks k on k.file = f.id
      union select x.chunk from (${NAMED}) n join episode_members e on e.episode_id = n.episode_id join index_events x on x.event_id = e.event_id
      union select x.chunk from json_each(@entityHandles) h cross join event_people p on p.handle = h.value join index_events x on x.event_id = p.event_id)`,
    params: { entities: JSON.stringify(ids), entityHandles: JSON.stringify(handles) },
  }
}
