/** What a row of `agent_sessions` says, as records. Columns that a ledger does not have are left out. */
import { shortHash } from '../../../core/hash.ts'
import { type AgentRecord, type SessionRecord, TITLE_RANK, type TitleRank } from '../../../ledgers/agent-record.ts'
import type { AgentSessionsTable } from '../../../store/tables.ts'

type Columns = { [Key in keyof AgentSessionsTable]?: string | number | null }
export type SessionRow = Omit<Columns, 'id' | 'source'> & { readonly id: string; readonly source: string }

export function nativeSession(row: SessionRow): string {
  return text(row.native_id) ?? withoutPrefix(row.id, `${row.source}:`)
}

export function withoutPrefix(id: string, prefix: string): string {
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}

export function* sessionRecords(row: SessionRow): Generator<AgentRecord, void, undefined> {
  const session = nativeSession(row)
  const parent =
    text(row.parent_native_id) ?? (row.parent_session_id ? withoutPrefix(String(row.parent_session_id), `${row.source}:`) : undefined)
  const record: { -readonly [Key in keyof SessionRecord]: SessionRecord[Key] | undefined } = {
    type: 'session',
    session,
    firstHash: text(row.first_hash) ?? shortHash(16, session),
    agentId: text(row.agent_id),
    label: row.label === row.id ? undefined : text(row.label),
    sessionKey: text(row.session_key),
    project: text(row.project),
    workspacePath: text(row.workspace_path),
    model: text(row.model),
    isSubagent: row.is_subagent === 1,
    parentSession: parent,
    toolCall: text(row.tool_call_id),
    taskDescription: text(row.task_description),
    taskStatus: text(row.task_status),
    contextTokenLimit: number(row.context_token_limit),
    contextTokensUsed: number(row.context_tokens_used),
    isAgentic: row.is_agentic === 1,
    forceMode: text(row.force_mode),
    context: object(row.context_json),
    raw: json(row.raw_json),
    ended: row.conversation_state === 'ended',
    lastMessageAt: number(row.last_message_at),
  }
  yield Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as unknown as SessionRecord
  const title = text(row.title)
  if (title !== undefined) yield { type: 'title', session, title, rank: (number(row.title_rank) || TITLE_RANK.generated) as TitleRank }
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** A column of JSON; what is none is kept as the text it is. */
export function json(value: unknown): unknown {
  if (typeof value !== 'string') return undefined
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value // another program's column: its text is all there is to know
  }
}

export function object(value: unknown): Record<string, unknown> | undefined {
  const parsed = json(value)
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Record<string, unknown>) : undefined
}
