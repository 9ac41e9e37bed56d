/** The messages of one session of another ledger, with their calls, results and compactions, in their order. */
import { shortHash } from '../../../core/hash.ts'
import { isTrust, type Trust } from '../../../core/trust.ts'
import type { AgentRecord, MessageKind, MessageRecord, ToolCallPart, ToolResultPart } from '../../../ledgers/agent-record.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { AgentCompactionsTable, AgentMessagesTable, AgentToolCallsTable } from '../../../store/tables.ts'
import type { RecordNames } from './record-names.ts'
import { json, nativeSession, number, object, type SessionRow, text, withoutFences, withoutPrefix } from './session-records.ts'

type Row<Table> = { readonly [Key in keyof Table]?: unknown } & { readonly id: string }
type MessageRow = Row<AgentMessagesTable>
type CallRow = Row<AgentToolCallsTable>

const KINDS = { user: 'prompt', assistant: 'reply', system: 'meta', tool: 'tool_result' } as const
const TRUST = { user: 'owner', assistant: 'agent', system: 'agent', tool: 'untrusted' } as const
/** What stands instead of a hash where a record is only a further name. */
const ALIAS = 'alias'
/** How a ledger names a message that its source gave no id. */
const ORDINAL = /^(\d+)-[0-9a-f]{8}$/

export function* readMessages(
  db: SourceDatabase,
  session: SessionRow,
  names: RecordNames,
): Generator<{ item: AgentRecord | BadLine; bytes: number }, void, undefined> {
  const native = nativeSession(session)
  const stored = [...db.rows<CallRow>('select * from agent_tool_calls where session_id = ? order by tool_number, id', session.id)]
  const calls = stored.filter(({ id }) => typeof id === 'string').map(withoutFences)
  if (calls.length < stored.length) yield { item: badLine(0, `the id of a tool call of session ${session.id} is no text`), bytes: 0 }
  const context = { session, native, names, calls, compactions: compactionsOf(db, session.id) }
  let n = 0
  for (const row of db.rows<MessageRow>('select * from agent_messages where session_id = ? order by sequence, id', session.id)) {
    n += 1
    const wrong = wrongIn(row)
    if (wrong === undefined) yield { item: messageRecord(withoutFences(row), context), bytes: String(row.content ?? '').length }
    else yield { item: badLine(n, `${wrong} (session ${session.id}, message ${n})`), bytes: 0 }
  }
  const head = session.head_message_id
  if (head === '') yield { item: { type: 'head', session: native }, bytes: 0 }
  else if (typeof head === 'string') yield { item: { type: 'head', session: native, recordId: nameOf(head, context) }, bytes: 0 }
}

export interface BadLine {
  readonly type: 'bad_line'
  readonly line: number
  readonly reason: string
}

function badLine(line: number, reason: string): BadLine {
  return { type: 'bad_line', line, reason }
}

/** What another program keeps in these two columns is no message unless it is text. */
function wrongIn({ id, content }: { readonly id: unknown; readonly content?: unknown }): string | undefined {
  if (typeof id !== 'string') return 'its id is no text'
  return content === null || content === undefined || typeof content === 'string' ? undefined : 'its content is no text'
}

interface Context {
  readonly session: SessionRow
  readonly native: string
  readonly names: RecordNames
  readonly calls: readonly CallRow[]
  readonly compactions: ReadonlyMap<string, Row<AgentCompactionsTable>>
}

function messageRecord(row: MessageRow, context: Context): MessageRecord {
  const role = (['user', 'assistant', 'system', 'tool'] as const).find((known) => known === row.role) ?? 'system'
  const content = typeof row.content === 'string' ? row.content : ''
  const named = context.names.get(row.id) ?? []
  const [first, ...records] = named.filter(({ hash }) => hash !== ALIAS)
  const aliases = named.filter(({ hash }) => hash === ALIAS).map(({ id }) => id)
  const nativeId = text(row.native_id) ?? withoutPrefix(row.id, `${context.session.id}/`)
  const isVersion = text(row.native_id) !== undefined && row.id !== `${context.session.id}/${nativeId}`
  const tools = toolsOf(row, context)
  const ordinal = first === undefined ? ORDINAL.exec(nativeId)?.[1] : undefined
  const { blocks, ...metadata } = object(row.metadata_json) ?? {}
  const compaction = context.compactions.get(row.id)
  const parent = text(row.parent_id)
  return {
    type: 'message',
    session: context.native,
    // Nobody knows which of two tellings is the later one. A later version that stood beside the first there stands so here.
    ...(isVersion ? {} : { replaces: 'fuller' as const }),
    ...(ordinal === undefined ? { id: nativeId } : { ordinal: Number(ordinal) }),
    ...(first === undefined || first.id === nativeId ? {} : { recordId: first.id }),
    hash: first?.hash ?? shortHash(16, role, '\n', content, Object.keys(tools).length === 0 ? '' : JSON.stringify(tools)),
    ...(records.length > 0 ? { records } : {}),
    ...(aliases.length > 0 ? { aliases } : {}),
    ...(parent === undefined ? {} : parentOf(parent, context)),
    role,
    kind: (text(row.kind) as MessageKind | undefined) ?? KINDS[role],
    text: content,
    ...present('timestamp', number(row.timestamp)),
    ...present('speaker', text(row.speaker)),
    trust: isTrust(row.trust) ? row.trust : (TRUST[role] satisfies Trust),
    ...present('model', text(row.model)),
    ...(Array.isArray(blocks) ? { blocks } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    ...present('checkpointId', text(row.checkpoint_id)),
    ...(row.is_agentic === 1 ? { isAgentic: true } : {}),
    ...(row.is_plan_execution === 1 ? { isPlanExecution: true } : {}),
    ...present('context', json(row.context_json)),
    ...present('cursorRules', json(row.cursor_rules_json)),
    ...tools,
    ...(compaction === undefined ? {} : { compaction: compactionOf(compaction) }),
  }
}

function present<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value }
}

function toolsOf(row: MessageRow, { session, calls }: Context): Pick<MessageRecord, 'toolCalls' | 'toolResults'> {
  const nativeCall = (call: CallRow) => text(call.native_id) ?? withoutPrefix(call.id, `${session.id}/`)
  const toolCalls = calls
    .filter((call) => call.message_id === row.id && call.tool_name !== null)
    .map(
      (call): ToolCallPart => ({
        id: nativeCall(call),
        name: text(call.tool_name) ?? '',
        params: text(call.params_json) ?? '{}',
        ...present('startedAt', number(call.started_at)),
      }),
    )
  const toolResults = calls
    .filter((call) => text(call.result_json) !== undefined && (call.result_message_id ?? call.message_id) === row.id)
    .map(
      (call): ToolResultPart => ({
        callId: nativeCall(call),
        result: String(call.result_json),
        isError: call.status === 'error',
        ...present('childSession', text(call.child_native_id) ?? childOf(call, session)),
      }),
    )
  return { ...(toolCalls.length > 0 ? { toolCalls } : {}), ...(toolResults.length > 0 ? { toolResults } : {}) }
}

function childOf(call: CallRow, { source }: SessionRow): string | undefined {
  const child = text(call.child_session_id)
  return child === undefined ? undefined : withoutPrefix(child, `${source}:`)
}

/** What a fork follows stands in the session it was forked from. */
function parentOf(id: string, context: Context): Pick<MessageRecord, 'parent' | 'parentElsewhere'> {
  return id.startsWith(`${context.session.id}/`) ? { parent: nameOf(id, context) } : { parentElsewhere: id }
}

/** The name by which the ledger that imports this finds a message again. */
function nameOf(id: string, { names, session }: Context): string {
  return names.get(id)?.find(({ hash }) => hash !== ALIAS)?.id ?? withoutPrefix(id, `${session.id}/`)
}

function compactionsOf(db: SourceDatabase, sessionId: string): Map<string, Row<AgentCompactionsTable>> {
  if (!db.tables().has('agent_compactions')) return new Map()
  const rows = db.rows<Row<AgentCompactionsTable>>('select * from agent_compactions where session_id = ?', sessionId)
  return new Map([...rows].map((row) => [row.id, row]))
}

function compactionOf(row: Row<AgentCompactionsTable>): NonNullable<MessageRecord['compaction']> {
  return {
    ...present('trigger', text(row.trigger)),
    ...present('tokensBefore', number(row.tokens_before)),
    ...present('metadata', json(row.metadata_json)),
  }
}
