/** The tool calls of turns, in their order, page by page. */
import type { Kysely } from 'kysely'
import { padded } from '../../core/padded.ts'
import type { Tables } from '../../store/tables.ts'
import type { EpisodeCall } from '../analyzer.ts'

/** Calls of one query: a result may be megabytes long. */
const AT_ONCE = 64

/** Of these turns, which are of one session. */
export async function* callsOfTurns(db: Kysely<Tables>, turns: readonly string[]): AsyncGenerator<EpisodeCall, void, undefined> {
  if (turns.length === 0) return
  const rows = await db
    .selectFrom('agent_messages as m')
    .innerJoin('agent_tool_calls as c', 'c.message_id', 'm.id')
    .select(['c.id', 'm.id as message', 'm.turn_id as turn'])
    .where('m.turn_id', 'in', padded(turns))
    .orderBy('m.sequence')
    .orderBy('c.tool_number')
    .orderBy('c.id')
    .execute()
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = rows.slice(from, from + AT_ONCE)
    const calls = await db
      .selectFrom('agent_tool_calls')
      .select(['id', 'tool_name', 'params_json', 'result_json', 'status'])
      .where('id', 'in', padded(some.map(({ id }) => id)))
      .execute()
    const by = new Map(calls.map((call) => [call.id, call]))
    for (const { id, message, turn } of some) {
      const call = by.get(id)
      if (call !== undefined) yield { ...call, message, turn }
    }
  }
}
