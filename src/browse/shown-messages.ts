/** Two queries per batch of turns. */
import type { Selectable } from 'kysely'
import { isoOrNull } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import { ownName } from '../index/speaker-name.ts'
import type { Store } from '../store/store.ts'
import type { AgentMessagesTable, AgentToolCallsTable } from '../store/tables.ts'
import type { ShownMessage } from './browse.ts'
import type { Redact } from './redact-stored.ts'

const BATCH = 200

const SPEAKERS = { user: 'User', assistant: 'Assistant', tool: 'Tool', system: 'System' } as const

const MESSAGE_COLUMNS = ['id', 'turn_id', 'role', 'kind', 'content', 'speaker', 'timestamp', 'trust'] as const
const CALL_COLUMNS = ['c.id', 'c.message_id', 'c.tool_name', 'c.status', 'c.params_json', 'c.result_json', 'c.child_session_id'] as const

type Message = Pick<Selectable<AgentMessagesTable>, (typeof MESSAGE_COLUMNS)[number]>
type Call = Pick<
  Selectable<AgentToolCallsTable>,
  'id' | 'message_id' | 'tool_name' | 'status' | 'params_json' | 'result_json' | 'child_session_id'
>

export async function shownMessages(store: Store, turnIds: readonly string[], redact: Redact): Promise<Map<string, ShownMessage[]>> {
  const turns = new Map<string, ShownMessage[]>()
  for (let i = 0; i < turnIds.length; i += BATCH) {
    const ids = turnIds.slice(i, i + BATCH)
    const calls = await callsByMessage(store, ids)
    const rows = await store.read
      .selectFrom('agent_messages')
      .select(MESSAGE_COLUMNS)
      .where('turn_id', 'in', ids)
      .orderBy('sequence')
      .orderBy('id')
      .execute()
    for (const row of rows) {
      const turn = turns.get(row.turn_id ?? '') ?? []
      turn.push(shownMessage(row, calls.get(row.id) ?? [], redact))
      turns.set(row.turn_id ?? '', turn)
    }
  }
  return turns
}

async function callsByMessage(store: Store, turnIds: readonly string[]): Promise<Map<string, Call[]>> {
  const rows = await store.read
    .selectFrom('agent_tool_calls as c')
    .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
    .select(CALL_COLUMNS)
    .where('m.turn_id', 'in', turnIds)
    .orderBy('c.tool_number')
    .orderBy('c.id')
    .execute()
  const calls = new Map<string, Call[]>()
  for (const row of rows) {
    const list = calls.get(row.message_id ?? '')
    if (list === undefined) calls.set(row.message_id ?? '', [row])
    else list.push(row)
  }
  return calls
}

function shownMessage(row: Message, calls: readonly Call[], redact: Redact): ShownMessage {
  const safe = (text: string | null) => (text === null ? null : redact(text))
  return {
    message_id: row.id,
    role: row.role,
    kind: row.kind,
    speaker: ownName(row.speaker) === undefined ? SPEAKERS[row.role] : redact(row.speaker ?? ''),
    timestamp: isoOrNull(row.timestamp),
    trust: row.trust as Trust,
    text: redact(row.content ?? ''),
    tool_calls: calls.map((call) => ({
      tool_call_id: call.id,
      tool: safe(call.tool_name),
      status: call.status,
      params: safe(call.params_json),
      result: safe(call.result_json),
      child_session_id: call.child_session_id,
    })),
  }
}
