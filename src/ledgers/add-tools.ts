/** A result finds its call in this batch, in the ledger, or in another session. */
import { given } from '../core/given.ts'
import { messageId } from '../core/ids.ts'
import { isTooDeep } from '../core/nesting.ts'
import type { NewToolCall, ToolCallChange } from '../store/agent-rows.ts'
import type { CallRecord, MessageRecord, ToolCallPart, ToolResultPart } from './agent-record.ts'
import type { Batch } from './batch.ts'
import type { BatchMessage } from './batch-message.ts'
import { mayName } from './names/title-of-call.ts'
import { otherCallId } from './record-names.ts'
import { awaitName, type SessionState } from './session-state.ts'

interface At {
  readonly state: SessionState
  readonly message: BatchMessage
}

export function addTools(batch: Batch, record: MessageRecord, at: At): void {
  for (const call of record.toolCalls ?? []) {
    const { id, isStored, isLoose } = callId(batch, call.id, at)
    batch.newest.set(messageId(at.state.id, call.id), id)
    if (!at.state.unnamed && mayName(call.name, call.params)) awaitName(at.state)
    if (isLoose) own(batch, id, at)
    if (isStored) {
      if (record.replaces)
        changeCall(batch, { id, tool_name: call.name, params_json: storable(call.params) || null, started_at: call.startedAt ?? null })
      continue
    }
    addCall(batch, { ...newCall(id, call.id, at), ...callValues(call, { number: at.message.calls, time: record.timestamp }) }, at)
  }
  for (const result of record.toolResults ?? []) addResult(batch, result, at)
}

function callValues(call: ToolCallPart, defaults: { readonly number: number | null; readonly time: number | undefined }) {
  return {
    tool_name: call.name,
    tool_number: call.number ?? defaults.number,
    params_json: storable(call.params) || null,
    started_at: call.startedAt === undefined ? (defaults.time ?? null) : call.startedAt,
    ...given({ status: call.status }),
  }
}

export function addLooseCall(batch: Batch, { call, result }: CallRecord, { id: session, row }: SessionState): void {
  const id = messageId(session, call.id)
  const ended = result === undefined ? undefined : resultValues(result, { message: null, time: null, started: null })
  if (batch.stored.calls.has(id)) {
    if (ended !== undefined) batch.results.push({ id, ...ended, started_at: call.startedAt ?? null, own_end: 1 })
    return
  }
  batch.calls.set(id, { ...emptyCall(id, call.id, session), ...callValues(call, { number: null, time: undefined }), ...ended })
  batch.count += 1
  row.is_agentic = 1
}

/**
 * Some servers restart numbering per request, so a name used by another message is another call. A stored call without a message is the same
 * call: a repair lost its message.
 */
function callId(batch: Batch, native: string, { state, message }: At): { id: string; isStored: boolean; isLoose?: boolean } {
  const find = (id: string) => batch.calls.get(id) ?? batch.stored.calls.get(id)
  const plain = messageId(state.id, native)
  const first = find(plain)
  // A nameless call is the placeholder of a result that came first.
  if (first === undefined || first.message_id === message.id || first.tool_name === null)
    return { id: plain, isStored: first !== undefined }
  if (first.message_id === null) return { id: plain, isStored: true, isLoose: true }
  const id = otherCallId(plain, message.id)
  return { id, isStored: find(id) !== undefined }
}

/** For a record that is not stored. Returns whether it added a result. */
export function addMissingResults(batch: Batch, record: MessageRecord, at: At): boolean {
  const missing = (record.toolResults ?? []).filter(({ callId }) => batch.stored.open.has(messageId(at.state.id, callId)))
  for (const result of missing) addResult(batch, result, at)
  return missing.length > 0
}

/** SQLite cannot parse very deep JSON, so it is stored as a string. */
function storable(json: string): string {
  return isTooDeep(json) ? JSON.stringify(json) : json
}

function own(batch: Batch, id: string, { state, message }: At): void {
  const pending = batch.calls.get(id)
  if (pending) Object.assign(pending, { message_id: message.id })
  else batch.callOwners.push({ id, message_id: message.id })
  state.row.is_agentic = 1
  message.newCalls += 1
  message.calls += 1
}

function changeCall(batch: Batch, change: ToolCallChange): void {
  const pending = batch.calls.get(change.id)
  if (pending) Object.assign(pending, change)
  else batch.callChanges.push(change)
}

function addResult(batch: Batch, result: ToolResultPart, at: At): void {
  const plain = messageId(at.state.id, result.callId)
  const id = batch.newest.get(plain) ?? batch.stored.newest.get(plain) ?? plain
  const from = { message: at.message.id, time: at.message.timestamp }
  const pending = batch.calls.get(id)
  if (pending) {
    const values = resultValues(result, { ...from, started: result.startedAt ?? pending.started_at })
    return void Object.assign(pending, values, result.startedAt === undefined ? {} : { started_at: result.startedAt })
  }
  const started = result.startedAt ?? null
  const values = { ...resultValues(result, { ...from, started }), started_at: started, own_end: Number(result.completedAt !== undefined) }
  const hasCall = batch.stored.calls.has(id) || batch.stored.newest.has(plain)
  const known = hasCall ? id : batch.stored.callsElsewhere.get(result.callId)
  if (known !== undefined) return void batch.results.push({ id: known, ...values })
  const { own_end: _, ...alone } = values
  // Keeps the result of an unknown call, since only part of the session may have been read.
  addCall(batch, { ...newCall(id, result.callId, at), ...alone }, at)
}

interface ResultMessage {
  readonly message: string | null
  /** Fallback end of the call, unless it is before its start. */
  readonly time: number | null
  readonly started: number | null
}

function resultValues(result: ToolResultPart, { message, time, started }: ResultMessage) {
  const isBefore = time !== null && started !== null && time < started
  return {
    result_json: storable(result.result),
    status: result.status ?? (result.isError ? 'error' : 'completed'),
    result_message_id: message,
    child_native_id: result.childSession ?? null,
    completed_at: result.completedAt === undefined ? (isBefore ? null : time) : result.completedAt,
  }
}

function newCall(id: string, nativeId: string, { state, message }: At): NewToolCall {
  return { ...emptyCall(id, nativeId, state.id), message_id: message.id }
}

function emptyCall(id: string, nativeId: string, sessionId: string): NewToolCall {
  return {
    id,
    native_id: nativeId,
    message_id: null,
    session_id: sessionId,
    result_message_id: null,
    tool_name: null,
    tool_number: null,
    params_json: null,
    result_json: null,
    status: 'pending',
    child_native_id: null,
    started_at: null,
    completed_at: null,
  }
}

function addCall(batch: Batch, call: NewToolCall, { state, message }: At): void {
  state.row.is_agentic = 1
  batch.calls.set(call.id, call)
  message.newCalls += 1
  message.calls += 1
  batch.count += 1
}
