import type { Kysely } from 'kysely'
import { padded } from '../../core/padded.ts'
import { toolKind } from '../../ledgers/deeds/tools.ts'
import type { Tables } from '../../store/tables.ts'
import type { EpisodeCall } from '../analyzer.ts'
import { needsResult } from '../outcome/needs-result.ts'

const AT_ONCE = 64

/** All turns must be of one session. */
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
    const found = await callsBy(
      db,
      some.map(({ id }) => id),
    )
    const by = new Map(found.map((call) => [call.id, call]))
    for (const { id, message, turn } of some) {
      const call = by.get(id)
      if (call !== undefined) yield { ...call, message, turn }
    }
  }
}

async function callsBy(db: Kysely<Tables>, some: readonly string[]) {
  const table = db.selectFrom('agent_tool_calls')
  const calls = await table.select(['id', 'tool_name', 'params_json', 'status']).where('id', 'in', padded(some)).execute()
  // The result of a create call shows if the file existed.
  const wanted = calls.flatMap((call) => (needsResult(call) || toolKind(call.tool_name) === 'create' ? [call.id] : []))
  const results = wanted.length === 0 ? [] : await table.select(['id', 'result_json']).where('id', 'in', padded(wanted)).execute()
  const by = new Map(results.map(({ id, result_json }) => [id, result_json]))
  return calls.map((call) => ({ ...call, result_json: by.get(call.id) ?? null }))
}
