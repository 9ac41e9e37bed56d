import { shortHash } from '../../../core/hash.ts'
import { cutMarked, cutMarkedDeep, hasMarked } from '../../../core/marked-text.ts'
import { parseJson } from '../../../core/nesting.ts'
import { parseTimestamp } from '../../../core/time.ts'
import { type AgentRecord, type SessionRecord, TITLE_RANK, type TitleRank } from '../../../ledgers/agent-record.ts'
import type { AgentSessionsTable } from '../../../store/tables.ts'

type Columns = { [Key in keyof AgentSessionsTable]?: string | number | null }
export type SessionRow = Omit<Columns, 'id' | 'source'> & { readonly id: string; readonly source: string }

export type Row<Table> = { readonly [Key in keyof Table]?: unknown } & { readonly id: string }

/** For duplicate native ids, the second session's name is its id. */
export function nativeSession(row: SessionRow): string {
  const name = text(row.native_id)
  return name !== undefined && row.id === `${row.source}:${name}` ? name : withoutPrefix(row.id, `${row.source}:`)
}

export function withoutPrefix(id: string, prefix: string): string {
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}

export function* sessionRecords(row: SessionRow): Generator<AgentRecord, void, undefined> {
  const session = nativeSession(row)
  const isShared = text(row.native_id) !== undefined && text(row.native_id) !== session
  const parent =
    text(row.parent_native_id) ?? (row.parent_session_id ? withoutPrefix(String(row.parent_session_id), `${row.source}:`) : undefined)
  const record: { -readonly [Key in keyof SessionRecord]: SessionRecord[Key] | undefined } = {
    type: 'session',
    session,
    firstHash: text(row.first_hash) ?? shortHash(16, session),
    // File names may collide between machines.
    weakName: ((row.source === 'jsonl' || isShared) && text(row.first_hash) !== undefined) || undefined,
    sharedName: isShared ? text(row.native_id) : undefined,
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
    context: object(row.context_json) ?? kept('context_json', row.context_json),
    raw: json(row.raw_json),
    conversationState: text(row.conversation_state),
    // Deletion syncs from one machine to the other; its absence does not.
    deleted: row.status === 'deleted' || undefined,
    createdAt: time(row.created_at),
    parentMessage: parentMessageOf(row, parent),
    changedAt: number(object(row.context_json)?.changed_at),
    lastMessageAt: time(row.last_message_at),
  }
  yield Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as unknown as SessionRecord
  const title = titleOf(row)
  if (title !== undefined) yield { type: 'title', session, ...title }
}

/** Skips generated titles, which are regenerated here. The owner's title there ranks as the source's best. */
function titleOf(row: SessionRow): { title: string; rank: TitleRank } | undefined {
  const origin = text(row.title_origin)
  if (origin !== undefined && origin !== 'owner' && origin !== 'harness') return undefined
  const title = text(row.title)
  if (title === undefined) return undefined
  return { title, rank: origin === 'owner' ? TITLE_RANK.custom : ((number(row.title_rank) || TITLE_RANK.generated) as TitleRank) }
}

/** An id in our ledger, within the parent session. */
function parentMessageOf(row: SessionRow, parent: string | undefined): string | undefined {
  const id = text(row.parent_message_id)
  if (id === undefined || id.startsWith(`${row.source}:`)) return id
  return parent === undefined ? undefined : `${row.source}:${parent}/${id}`
}

/** Another program's ledger may contain private passages or injected memory. Returns the same row if clean. */
export function withoutMarked<Row extends object>(row: Row): Row {
  const cut = Object.entries(row).flatMap(([key, value]) => {
    if (typeof value !== 'string' || !hasMarked(value)) return []
    const inner = key.endsWith('_json') ? json(value) : value
    return [[key, typeof inner === 'string' ? cutMarked(inner) : JSON.stringify(cutMarkedDeep(inner))]]
  })
  return cut.length === 0 ? row : { ...row, ...Object.fromEntries(cut) }
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Another program may write seconds. */
export function time(value: unknown): number | undefined {
  return parseTimestamp(value) ?? number(value)
}

export function kept(column: string, value: unknown): Record<string, unknown> | undefined {
  const found = json(value)
  return found === undefined || found === null || found === '' ? undefined : { [column]: found }
}

export function json(value: unknown): unknown {
  if (typeof value !== 'string') return undefined
  try {
    return parseJson(value)
  } catch {
    return value // invalid JSON from another program: keep the text
  }
}

export function object(value: unknown): Record<string, unknown> | undefined {
  const parsed = json(value)
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Record<string, unknown>) : undefined
}
