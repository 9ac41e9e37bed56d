/** Checks if an approved plan was carried out: a later file change, commit or delegation. Otherwise it is no decision. */
import type { Kysely } from 'kysely'
import { deedsOf, type ToolCall } from '../../ledgers/deeds/deeds.ts'
import { parsed } from '../../ledgers/deeds/json.ts'
import type { Tables } from '../../store/tables.ts'
import { madeBy } from '../outcome/made.ts'

const AT_ONCE = 40
/** Work of another agent is in a separate session. */
const DELEGATES = /^(?:task|agent|subagent|dispatch_?agent|spawn_?agent|delegate(?:_?task)?|new_?task)$/i
/** Writing the plan to a file does not carry it out. */
const PLAN_FILE = /(?:^|\/)\.?plans?\/[^/]+\.md$/i

export async function lastDeedOf(db: Kysely<Tables>, session: string): Promise<number> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const calls = await db
      .selectFrom('agent_tool_calls as c')
      .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
      .select(['c.tool_name', 'c.params_json', 'c.result_json', 'c.status', 'm.sequence'])
      .where('c.session_id', '=', session)
      .where('m.sequence', '<', before)
      .orderBy('m.sequence', 'desc')
      .limit(AT_ONCE)
      .execute()
    const found = calls.find((call) => isDeed(call))
    if (found !== undefined) return found.sequence
    const last = calls.at(-1)
    if (last === undefined || calls.length < AT_ONCE) return -1
    // The next page may hold more calls of the same message.
    before = calls[0]?.sequence === last.sequence ? last.sequence : last.sequence + 1
  }
}

function isDeed(call: ToolCall): boolean {
  const deeds = deedsOf(call)
  if (deeds.files.some(({ action, path }) => action !== 'read' && !PLAN_FILE.test(path))) return true
  if (madeBy(call.tool_name, parsed(call.params_json), deeds).length > 0) return true
  return DELEGATES.test(call.tool_name ?? '') && call.status === 'completed'
}
