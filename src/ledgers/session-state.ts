import type { Selectable } from 'kysely'
import { disambiguatedSessionId, sessionId } from '../core/ids.ts'
import type { MessageRef } from '../store/agent-rows.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import type { AgentSessionsTable } from '../store/tables.ts'
import type { SessionRecord } from './agent-record.ts'
import { disambiguatedIdOf, type UnitSessions } from './disambiguated-sessions.ts'
import type { Snapshot } from './snapshot/snapshot.ts'

type SessionRow = Selectable<AgentSessionsTable>

export interface SessionState {
  readonly id: string
  readonly row: SessionRow
  nextSequence: number
  /** Message of the session's last record: the default parent. */
  cursor: MessageRef | undefined
  dirty: boolean
  outdated: boolean
  /** Head to keep when an older copy adds messages. */
  keptHead?: string | undefined
  /** Deleted in the source, not stored yet. */
  deleted?: boolean | undefined
  snapshot: Snapshot | undefined
  /** The title may change: renamed at the end of the unit (names/name-session.ts). */
  unnamed: boolean
}

export async function openSession(tx: WriteTx, record: SessionRecord, unit: UnitSessions): Promise<SessionState> {
  const { source, own } = unit
  const plain = sessionId(source, record.sharedName ?? record.session)
  const other = disambiguatedSessionId(plain, record.firstHash)
  const known = disambiguatedIdOf(unit, record)
  let id = known ?? plain
  let row = await find(tx, id)
  // A unit that got the plain id keeps it, even if its file was rewritten.
  if (known === undefined && row !== undefined && record.weakName && row.first_hash !== record.firstHash && !own.has(plain)) {
    id = other
    row = await find(tx, other)
  }
  row ??= await create(tx, id, source, record)
  const last = await tx.agents.lastMessage(id)
  const head = row.head_message_id
  const cursor = head === null ? last : (await tx.agents.messages([head])).get(head)
  const state: SessionState = {
    id,
    row,
    nextSequence: (last?.sequence ?? -1) + 1,
    cursor,
    dirty: false,
    outdated: false,
    snapshot: undefined,
    unnamed: row.names_version === 0,
  }
  if (isOlder(record, row)) keepHead(state)
  return state
}

const sessionById = compiledOnce((db, { id }: { id: string }) => db.selectFrom('agent_sessions').selectAll().where('id', '=', id))

async function find(tx: WriteTx, id: string): Promise<SessionRow | undefined> {
  return (await sessionById(tx.db, { id }))[0]
}

async function create(tx: WriteTx, id: string, source: string, record: SessionRecord): Promise<SessionRow> {
  return tx.db
    .insertInto('agent_sessions')
    .values({
      id,
      source,
      native_id: record.sharedName ?? record.session,
      agent_id: record.agentId ?? 'main',
      label: record.label ?? id,
      session_key: record.sessionKey ?? null,
      first_hash: record.firstHash,
      trust: record.isSubagent ? 'agent' : 'owner',
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateSession(state: SessionState, record: SessionRecord): void {
  const { row } = state
  const { changedAt } = record
  if (isOlder(record, row)) keepHead(state)
  if (state.outdated) return
  const given = changedAt === undefined ? record.context : { ...record.context, [CHANGED_AT]: changedAt }
  const context = given === undefined ? row.context_json : mergedContext(row.context_json, given)
  const changes: Partial<SessionRow> = {
    project: record.project ?? row.project,
    workspace_path: record.workspacePath ?? row.workspace_path,
    model: record.model ?? row.model,
    is_subagent: record.isSubagent === undefined ? row.is_subagent : Number(record.isSubagent),
    parent_native_id: record.parentSession ?? row.parent_native_id,
    tool_call_id: record.toolCall ?? row.tool_call_id,
    task_description: record.taskDescription ?? row.task_description,
    task_status: record.taskStatus ?? row.task_status,
    context_token_limit: record.contextTokenLimit ?? row.context_token_limit,
    context_tokens_used: record.contextTokensUsed ?? row.context_tokens_used,
    is_agentic: record.isAgentic ? 1 : row.is_agentic, // tools may have run despite the header
    force_mode: record.forceMode ?? row.force_mode,
    context_json: context,
    raw_json: record.raw === undefined ? row.raw_json : JSON.stringify(record.raw),
    conversation_state: record.conversationState ?? (record.ended ? 'ended' : row.conversation_state),
    created_at: record.createdAt === undefined ? row.created_at : Math.min(row.created_at ?? record.createdAt, record.createdAt),
    parent_message_id: record.parentMessage ?? row.parent_message_id,
    last_message_at: record.lastMessageAt === undefined ? row.last_message_at : Math.max(row.last_message_at ?? 0, record.lastMessageAt),
  }
  if (record.deleted !== undefined && record.deleted !== (row.status === 'deleted')) {
    state.deleted = record.deleted
    state.dirty = true
  }
  const changed = Object.entries(changes).some(([key, value]) => row[key as keyof SessionRow] !== value)
  if (!changed) return
  Object.assign(row, changes)
  state.dirty = true
}

/** An older copy may add messages but must not move the head. */
function keepHead(state: SessionState): void {
  if (!state.outdated && state.row.head_message_id === null) state.keptHead = state.cursor?.id
  state.outdated = true
}

const CHANGED_AT = 'changed_at'

function isOlder({ changedAt, lastMessageAt }: SessionRecord, { context_json, last_message_at }: SessionRow): boolean {
  const context = context_json === null || changedAt === undefined ? null : (JSON.parse(context_json) as Record<string, unknown> | null)
  const stored = context?.[CHANGED_AT]
  if (changedAt !== undefined && typeof stored === 'number') return changedAt < stored
  return lastMessageAt !== undefined && lastMessageAt < (last_message_at ?? 0)
}

/** Replaces a title of the same or lower rank. Returns whether it did. */
export function setTitle(state: SessionState, title: string, rank: number): boolean {
  const { row } = state
  if (state.outdated && rank <= row.title_rank) return false
  if (title === '' || rank < row.title_rank || row.source_title === title) return false
  Object.assign(row, { source_title: title, title_rank: rank })
  state.dirty = true
  awaitName(state)
  return true
}

/** Stored too, so that the next run finishes it after a crash. */
export function awaitName(state: SessionState): void {
  if (state.unnamed) return
  state.unnamed = true
  state.row.names_version = 0
  state.dirty = true
}

export async function saveSession(tx: WriteTx, state: SessionState): Promise<void> {
  await updateRow(tx.db, state.row)
  if (state.deleted !== undefined) {
    state.row.status = state.deleted ? 'deleted' : 'active'
    await tx.db.updateTable('agent_sessions').set({ status: state.row.status }).where('id', '=', state.id).execute()
    state.deleted = undefined
  }
  state.dirty = false
}

/** Only record values: heads, statuses and links are written elsewhere and may be newer. */
const updateRow = compiledOnce((db, row: SessionRow) =>
  db
    .updateTable('agent_sessions')
    .set({
      source_title: row.source_title,
      title_rank: row.title_rank,
      names_version: row.names_version,
      model: row.model,
      project: row.project,
      workspace_path: row.workspace_path,
      created_at: row.created_at,
      started_at: row.started_at,
      last_message_at: row.last_message_at,
      message_count: row.message_count,
      parent_native_id: row.parent_native_id,
      parent_message_id: row.parent_message_id,
      tool_call_id: row.tool_call_id,
      task_description: row.task_description,
      task_status: row.task_status,
      context_token_limit: row.context_token_limit,
      context_tokens_used: row.context_tokens_used,
      is_agentic: row.is_agentic,
      force_mode: row.force_mode,
      head_message_id: row.head_message_id,
      is_subagent: row.is_subagent,
      context_json: row.context_json,
      conversation_state: row.conversation_state,
      raw_json: row.raw_json,
    })
    .where('id', '=', row.id),
)

function mergedContext(json: string | null, more: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...(json === null ? {} : (JSON.parse(json) as object)), ...more })
}
