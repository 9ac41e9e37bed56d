/** Lines have a stable key order and ISO 8601 times, and are redacted. Ids stay verbatim: lines reference them. */
import type { Selectable } from 'kysely'
import { redactStored } from '../browse/redact-stored.ts'
import { parseJson } from '../core/nesting.ts'
import { isoOrNull, toIso } from '../core/time.ts'
import type {
  AgentCompactionsTable,
  AgentMessagesTable,
  AgentSessionsTable,
  AgentToolCallsTable,
  AgentTurnsTable,
  ContactsTable,
  EntitiesTable,
  EntityAliasesTable,
  EventPeopleTable,
  EventsTable,
  RelationshipsTable,
  SeriesPartsTable,
  ThreadsTable,
} from '../store/tables.ts'

const safe = (text: string | null): string | null => (text === null ? null : redactStored(text))

/** Redacts before parsing: a key marks its value as secret. Invalid JSON becomes text. */
function json(text: string | null): unknown {
  if (text === null) return null
  const redacted = redactStored(text)
  try {
    return parseJson(redacted)
  } catch {
    return redacted
  }
}

export function sessionLine(row: Selectable<AgentSessionsTable>) {
  return {
    session_id: row.id,
    source: row.source,
    native_id: row.native_id,
    agent_id: row.agent_id,
    label: safe(row.label),
    session_key: safe(row.session_key),
    title: safe(row.title),
    title_origin: row.title_origin,
    status: row.status,
    model: row.model,
    project: safe(row.project),
    workspace_path: safe(row.workspace_path),
    started_at: isoOrNull(row.started_at),
    ended_at: isoOrNull(row.ended_at),
    last_message_at: isoOrNull(row.last_message_at),
    message_count: row.message_count,
    head_turn_id: row.head_turn_id,
    is_subagent: row.is_subagent === 1,
    parent_session_id: row.parent_session_id,
    parent_message_id: row.parent_message_id,
    tool_call_id: row.tool_call_id,
    task_description: safe(row.task_description),
    task_status: safe(row.task_status),
    trust: row.trust,
    context: json(row.context_json),
    header: json(row.raw_json),
  }
}

/** Also input for the `jsonl` adapter. */
export function messageLine(row: Selectable<AgentMessagesTable>, fallbackTime: number) {
  const own = row.id.startsWith(`${row.session_id}/`) ? row.id.slice(row.session_id.length + 1) : row.id
  return {
    session_id: row.session_id,
    id: own,
    role: row.role,
    content: redactStored(row.content ?? ''),
    timestamp: toIso(row.timestamp ?? fallbackTime),
    ...(row.timestamp === null ? { timestamp_known: false } : {}),
    ...(row.speaker === null ? {} : { speaker: redactStored(row.speaker) }),
    ...(row.model === null ? {} : { model: row.model }),
    kind: row.kind,
    trust: row.trust,
    message_id: row.id,
    turn_id: row.turn_id,
    parent_id: row.parent_id,
    metadata: json(row.metadata_json),
    context: json(row.context_json),
  }
}

export function toolCallLine(row: Selectable<AgentToolCallsTable>) {
  return {
    tool_call_id: row.id,
    session_id: row.session_id,
    message_id: row.message_id,
    result_message_id: row.result_message_id,
    tool: safe(row.tool_name),
    status: row.status,
    params: json(row.params_json),
    result: json(row.result_json),
    child_session_id: row.child_session_id,
    started_at: isoOrNull(row.started_at),
    completed_at: isoOrNull(row.completed_at),
  }
}

export function turnLine(row: Selectable<AgentTurnsTable>) {
  return {
    turn_id: row.id,
    session_id: row.session_id,
    parent_turn_id: row.parent_turn_id,
    sequence: row.sequence,
    status: row.status,
    turn_type: row.turn_type,
    timestamp: isoOrNull(row.timestamp),
    query_message_ids: json(row.query_message_ids),
    response_message_id: row.response_message_id,
    model: row.model,
    provider: row.provider,
    token_count: row.token_count,
    message_count: row.message_count,
    tool_call_count: row.tool_call_count,
    label: safe(row.label),
    summary: safe(row.summary),
    topics: json(row.topics),
    entity_ids: json(row.entity_ids),
  }
}

export function compactionLine(row: Selectable<AgentCompactionsTable>) {
  return {
    compaction_id: row.id,
    session_id: row.session_id,
    turn_id: row.turn_id,
    timestamp: isoOrNull(row.timestamp),
    trigger: row.trigger,
    tokens_before: row.tokens_before,
    summary: redactStored(row.summary),
    metadata: json(row.metadata_json),
  }
}

export function threadLine(row: Selectable<ThreadsTable>) {
  return {
    thread_id: row.id,
    channel: row.channel,
    name: safe(row.name),
    source: row.source_adapter,
    source_id: row.source_id,
    parent_thread_id: row.parent_thread_id,
    agent_id: row.agent_id,
    metadata: json(row.metadata_json),
  }
}

export function eventLine(row: Selectable<EventsTable>) {
  return {
    event_id: row.id,
    timestamp: toIso(row.timestamp),
    channel: row.channel,
    thread_id: row.thread_id,
    direction: row.direction,
    speaker: safe(row.speaker),
    content_types: json(row.content_types),
    content: safe(row.content),
    reply_to: row.reply_to,
    source: row.source_adapter,
    source_id: row.source_id,
    trust: row.trust,
    agent_id: row.agent_id,
    metadata: json(row.metadata_json),
  }
}

export function personLine({ event_id, role, handle, name }: Selectable<EventPeopleTable>) {
  return { event_id, role, handle: safe(handle), name: safe(name) }
}

export function contactLine({ handle, unit, name }: Selectable<ContactsTable>) {
  return { handle, name: safe(name), file: unit }
}

export function seriesLine(row: Selectable<SeriesPartsTable>) {
  const { series, part, thread_id, version, agent_id } = row
  return { series, part, thread_id, version, agent_id, body: json(row.body_json) }
}

export function entityLine(row: Selectable<EntitiesTable>) {
  return {
    entity_id: row.id,
    type: row.type,
    name: redactStored(row.name),
    canonical_id: row.canonical_id,
    message_id: row.message_id,
    trust: row.trust,
    agent_id: row.agent_id,
    metadata: json(row.metadata_json),
  }
}

export function aliasLine(row: Selectable<EntityAliasesTable>) {
  return {
    alias_id: row.id,
    entity_id: row.entity_id,
    type: row.alias_type,
    value: redactStored(row.value),
    confidence: row.confidence,
    source_type: row.source_type,
    message_id: row.message_id,
    trust: row.trust,
    agent_id: row.agent_id,
    created_at: toIso(row.created_at),
  }
}

export function observationLine(row: Selectable<RelationshipsTable>) {
  return {
    observation_id: row.id,
    subject_id: row.subject_id,
    type: row.type,
    object_id: row.object_id,
    target_literal: safe(row.target_literal),
    fact: redactStored(row.fact),
    source_type: row.source_type,
    confidence: row.confidence,
    valid_at: isoOrNull(row.valid_at),
    invalid_at: isoOrNull(row.invalid_at),
    created_at: toIso(row.created_at),
    message_id: row.message_id,
    span_start: row.span_start,
    span_end: row.span_end,
    trust: row.trust,
    agent_id: row.agent_id,
  }
}
