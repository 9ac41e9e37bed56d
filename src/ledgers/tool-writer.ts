/** Tool calls and their results. A result joins its call wherever the call is: in this batch, in the ledger, in another session. */
import { messageId } from '../core/ids.ts'
import { isTooDeep } from '../core/nesting.ts'
import type { NewToolCall, ToolCallChange } from '../store/agent-rows.ts'
import type { CallRecord, MessageRecord, ToolCallPart, ToolResultPart } from './agent-record.ts'
import type { DraftMessage } from './draft-message.ts'
import { anotherCall } from './look-up.ts'
import type { SessionState } from './session-state.ts'
import type { Batch } from './unit.ts'

interface At {
  readonly state: SessionState
  readonly draft: DraftMessage
}

export function addTools(batch: Batch, record: MessageRecord, at: At): void {
  for (const call of record.toolCalls ?? []) {
    const { id, isKnown } = callId(batch, call.id, at)
    batch.newest.set(messageId(at.state.id, call.id), id)
    if (isKnown) {
      if (record.replaces)
        changeCall(batch, { id, tool_name: call.name, params_json: storable(call.params) || null, started_at: call.startedAt ?? null })
      continue
    }
    addCall(batch, { ...newCall(id, call.id, at), ...saidOfCall(call, { number: at.draft.calls, time: record.timestamp }) }, at)
  }
  for (const result of record.toolResults ?? []) addResult(batch, result, at)
}

function saidOfCall(call: ToolCallPart, told: { readonly number: number | null; readonly time: number | undefined }) {
  return {
    tool_name: call.name,
    tool_number: call.number ?? told.number,
    params_json: storable(call.params) || null,
    started_at: call.startedAt === undefined ? (told.time ?? null) : call.startedAt,
    ...(call.status === undefined ? {} : { status: call.status }),
  }
}

/** A call that no message made, as another ledger may have one. */
export function addLooseCall(batch: Batch, { call, result }: CallRecord, { id: session, row }: SessionState): void {
  const id = messageId(session, call.id)
  const ended = result === undefined ? undefined : saidOfResult(result, { message: null, time: null, started: null })
  if (batch.known.calls.has(id)) {
    if (ended !== undefined) batch.results.push({ id, ...ended, started_at: call.startedAt ?? null, own_end: 1 })
    return
  }
  batch.calls.set(id, { ...emptyCall(id, call.id, session), ...saidOfCall(call, { number: null, time: undefined }), ...ended })
  batch.count += 1
  row.is_agentic = 1
}

/**
 * The id of a call, and whether it is stored. Most names were made for one call alone; where another message has used the name, as servers
 * do that number the calls of each request anew, this is another call.
 */
function callId(batch: Batch, native: string, { state, draft }: At): { id: string; isKnown: boolean } {
  const find = (id: string) => batch.calls.get(id) ?? batch.known.calls.get(id)
  const plain = messageId(state.id, native)
  const first = find(plain)
  // Without a name it stands for a result that came before its call.
  if (first === undefined || first.message_id === draft.id || first.tool_name === null) return { id: plain, isKnown: first !== undefined }
  const id = anotherCall(plain, draft.id)
  return { id, isKnown: find(id) !== undefined }
}

/** Of a record that is not taken over: results of calls that have none. True when there was one. */
export function addMissingResults(batch: Batch, record: MessageRecord, at: At): boolean {
  const missing = (record.toolResults ?? []).filter(({ callId }) => batch.known.open.has(messageId(at.state.id, callId)))
  for (const result of missing) addResult(batch, result, at)
  return missing.length > 0
}

/** What a model wrote may nest deeper than the database's own functions read: it is kept as the text it is. */
function storable(json: string): string {
  return isTooDeep(json) ? JSON.stringify(json) : json
}

function changeCall(batch: Batch, change: ToolCallChange): void {
  const pending = batch.calls.get(change.id)
  if (pending) Object.assign(pending, change)
  else batch.callChanges.push(change)
}

function addResult(batch: Batch, result: ToolResultPart, at: At): void {
  const plain = messageId(at.state.id, result.callId)
  const id = batch.newest.get(plain) ?? batch.known.newest.get(plain) ?? plain
  const told = { message: at.draft.id, time: at.draft.timestamp }
  const pending = batch.calls.get(id)
  if (pending) {
    const values = saidOfResult(result, { ...told, started: result.startedAt ?? pending.started_at })
    return void Object.assign(pending, values, result.startedAt === undefined ? {} : { started_at: result.startedAt })
  }
  const started = result.startedAt ?? null
  const values = { ...saidOfResult(result, { ...told, started }), started_at: started, own_end: Number(result.completedAt !== undefined) }
  const isStored = batch.known.calls.has(id) || batch.known.newest.has(plain)
  const known = isStored ? id : batch.known.callsElsewhere.get(result.callId)
  if (known !== undefined) return void batch.results.push({ id: known, ...values })
  const { own_end: _, ...alone } = values
  // A result whose call is nowhere (a slice of a session): kept, so that nothing the source said is lost.
  addCall(batch, { ...newCall(id, result.callId, at), ...alone }, at)
}

interface ToldIn {
  readonly message: string | null
  /** Of the message that tells the result: the end of a call that names none, unless that lies before its beginning. */
  readonly time: number | null
  readonly started: number | null
}

function saidOfResult(result: ToolResultPart, { message, time, started }: ToldIn) {
  const isBefore = time !== null && started !== null && time < started
  return {
    result_json: storable(result.result),
    status: result.status ?? (result.isError ? 'error' : 'completed'),
    result_message_id: message,
    child_native_id: result.childSession ?? null,
    completed_at: result.completedAt === undefined ? (isBefore ? null : time) : result.completedAt,
  }
}

function newCall(id: string, nativeId: string, { state, draft }: At): NewToolCall {
  return { ...emptyCall(id, nativeId, state.id), message_id: draft.id }
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

function addCall(batch: Batch, call: NewToolCall, { state, draft }: At): void {
  state.row.is_agentic = 1
  batch.calls.set(call.id, call)
  draft.newCalls += 1
  draft.calls += 1
  batch.count += 1
}
