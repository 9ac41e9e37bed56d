import { given } from '../../../core/given.ts'
import type { MessageRecord, ToolCallPart, ToolResultPart } from '../../../ledgers/agent-record.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { AgentToolCallsTable } from '../../../store/tables.ts'
import { number, type Row, type SessionRow, text, time, withoutMarked, withoutPrefix } from './session-records.ts'

export type CallRow = Row<AgentToolCallsTable>
type Tools = Pick<MessageRecord, 'toolCalls' | 'toolResults'>

export interface SessionCalls {
  of(messageId: string): Tools
  readonly loose: readonly CallRow[]
  readonly unnamed: number
  toolsFor(made: readonly CallRow[], answered: readonly CallRow[]): Tools
}

export function callsOf(db: SourceDatabase, session: SessionRow): SessionCalls {
  const columns = db.columns('agent_tool_calls')
  const sql = `select * from agent_tool_calls where session_id = ? order by ${columns.has('tool_number') ? 'tool_number, ' : ''}id`
  const stored = [...db.rows<CallRow>(sql, session.id)]
  const calls = stored.filter(({ id }) => typeof id === 'string').map(withoutMarked)
  const messages = new Set(
    [...db.rows<{ id: string }>('select id from agent_messages where session_id = ?', session.id)].map(({ id }) => id),
  )
  const isHere = (id: unknown) => typeof id === 'string' && messages.has(id)
  const [made, answered] = [new Map<string, CallRow[]>(), new Map<string, CallRow[]>()]
  const loose: CallRow[] = []
  for (const call of calls) {
    const { message_id: by } = call
    // A result in another session is emitted with its call.
    const at = isHere(call.result_message_id) ? call.result_message_id : by
    if (!isHere(by) && !isHere(at)) loose.push(call)
    if (isHere(by)) push(made, String(by), call)
    if (isHere(at)) push(answered, String(at), call)
  }
  const toolsFor = (mine: readonly CallRow[], results: readonly CallRow[]) => toolsOf(mine, results, { session, columns })
  return { of: (id) => toolsFor(made.get(id) ?? [], answered.get(id) ?? []), loose, unnamed: stored.length - calls.length, toolsFor }
}

function push(to: Map<string, CallRow[]>, key: string, call: CallRow): void {
  const list = to.get(key)
  if (list) list.push(call)
  else to.set(key, [call])
}

interface Of {
  readonly session: SessionRow
  readonly columns: ReadonlySet<string>
}

function toolsOf(made: readonly CallRow[], answered: readonly CallRow[], { session, columns }: Of): Tools {
  const nativeCall = (call: CallRow) => text(call.native_id) ?? withoutPrefix(call.id, `${session.id}/`)
  // Null: the column exists but is empty, so the time is unknown.
  const at = (call: CallRow, column: 'started_at' | 'completed_at') => (columns.has(column) ? (time(call[column]) ?? null) : undefined)
  // A nameless call holds an orphan result; it is emitted with the result.
  const toolCalls = made
    .filter((call) => typeof call.tool_name === 'string' || typeof call.result_json !== 'string')
    .map(
      (call): ToolCallPart => ({
        id: nativeCall(call),
        name: text(call.tool_name) ?? '',
        params: text(call.params_json) ?? '',
        ...given({ startedAt: at(call, 'started_at'), number: number(call.tool_number), status: text(call.status) }),
      }),
    )
  const toolResults = answered
    .filter((call) => typeof call.result_json === 'string')
    .map(
      (call): ToolResultPart => ({
        callId: nativeCall(call),
        result: String(call.result_json),
        isError: call.status === 'error',
        ...given({
          completedAt: at(call, 'completed_at'),
          status: text(call.status),
          childSession: text(call.child_native_id) ?? childOf(call, session),
        }),
      }),
    )
  return {
    ...given({ toolCalls: toolCalls.length > 0 ? toolCalls : undefined, toolResults: toolResults.length > 0 ? toolResults : undefined }),
  }
}

function childOf(call: CallRow, { source }: SessionRow): string | undefined {
  const child = text(call.child_session_id)
  return child === undefined ? undefined : withoutPrefix(child, `${source}:`)
}

/** Times are not part of a message's hash. */
export function withoutTimes({ toolCalls, toolResults }: Tools): unknown {
  return {
    ...(toolCalls && { toolCalls: toolCalls.map(({ id, name, params }) => ({ id, name, params })) }),
    ...(toolResults && {
      toolResults: toolResults.map(({ callId, result, isError, childSession }) => ({ callId, result, isError, childSession })),
    }),
  }
}
