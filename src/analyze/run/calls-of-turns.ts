/** The tool calls of turns, in their order, page by page. */
import type { Kysely } from 'kysely'
import { padded } from '../../core/padded.ts'
import { toolKind } from '../../ledgers/deeds/tools.ts'
import type { Tables } from '../../store/tables.ts'
import type { EpisodeCall } from '../analyzer.ts'

/** What was read, found or listed says nothing of what came of it, and is the most there is to read: it stays where it is. */
const LOOKS: ReadonlySet<string> = new Set(['read', 'search', 'list', 'fetch'])
/** Calls of one query: a result may be megabytes long. */
const AT_ONCE = 64

/** Of these turns, which are of one session. */
export async function* callsOfTurns(db: Kysely<Tables>, turns: readonly string[]): AsyncGenerator<EpisodeCall, void, undefined> {
  if (turns.length === 0) return
  const rows = await db
    .selectFrom('agent_messages as m')
    .innerJoin('agent_tool_calls as c', 'c.message_id', 'm.id')
    .select(['c.id', 'c.tool_name', 'm.id as message', 'm.turn_id as turn'])
    .where('m.turn_id', 'in', padded(turns))
    .orderBy('m.sequence')
    .orderBy('c.tool_number')
    .orderBy('c.id')
    .execute()
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = rows.slice(from, from + AT_ONCE)
    const by = new Map((await callsBy(db, some)).map((call) => [call.id, call]))
    for (const { id, message, turn } of some) {
      const call = by.get(id)
      if (call !== undefined) yield { ...call, message, turn }
    }
  }
}

async function callsBy(db: Kysely<Tables>, some: readonly { readonly id: string; readonly tool_name: string | null }[]) {
  const ids = (looks: boolean) => some.flatMap(({ id, tool_name }) => (LOOKS.has(toolKind(tool_name)) === looks ? [id] : []))
  const table = db.selectFrom('agent_tool_calls').select(['id', 'tool_name', 'params_json', 'status'])
  const [looked, did] = [ids(true), ids(false)]
  const shut = looked.length === 0 ? [] : await table.where('id', 'in', padded(looked)).execute()
  const open = did.length === 0 ? [] : await table.select('result_json').where('id', 'in', padded(did)).execute()
  return [...shut.map((call) => ({ ...call, result_json: null })), ...open]
}
