import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseJson } from '../../../core/nesting.ts'
import type { ToolResultPart } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, filledBut, isFields, textOf } from '../fields.ts'
import { flushAsked } from './asked.ts'
import { withoutSecrets } from './content.ts'
import { closeReply, pushMessage } from './emit.ts'
import type { KnownCall, Reading } from './read-state.ts'
import { madeName, nameOfCall, nameOfId, scopeOf } from './record-name.ts'
import { flushReplies, pushReply } from './reply.ts'

interface Call {
  readonly tool: string
  readonly params: string
  readonly result?: Fields | undefined
  readonly search?: string
}

const CALLS: Readonly<Record<string, (payload: Fields) => Call>> = {
  function_call: (payload) => ({ tool: textOf(payload.name) ?? '', params: jsonOf(payload.arguments) }),
  custom_tool_call: (payload) => ({ tool: textOf(payload.name) ?? '', params: JSON.stringify(payload.input ?? '') }),
  tool_call: (payload) => ({
    tool: textOf(fieldsOf(payload.function)?.name) ?? textOf(payload.name) ?? '',
    params: jsonOf(payload.arguments),
  }),
  local_shell_call: (payload) => ({ tool: 'local_shell', params: JSON.stringify(payload.action ?? {}) }),
  tool_search_call: (payload) => ({ tool: 'tool_search', params: jsonOf(payload.arguments) }),
  web_search_call: (payload) => ({
    tool: 'web_search',
    params: JSON.stringify(payload.action ?? {}),
    result: filled({ status: payload.status }),
    search: searchKey(payload.action),
  }),
  image_generation_call: (payload) => ({
    tool: 'image_generation',
    params: JSON.stringify({ revised_prompt: payload.revised_prompt }),
    result: picture(payload),
  }),
}

const OUTPUTS: ReadonlySet<string> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
  'tool_search_output',
  'tool_result',
])
const ELSEWHERE: ReadonlySet<string> = new Set(
  'type id call_id name function arguments input action output tools result revised_prompt internal_chat_message_metadata_passthrough metadata'.split(
    ' ',
  ),
)

export function toolItem(type: string, payload: Fields, reading: Reading): boolean {
  const read = CALLS[type]
  if (read) callItem(type, { ...read(payload), payload }, reading)
  else if (OUTPUTS.has(type)) outputItem(type, payload, reading)
  return read !== undefined || OUTPUTS.has(type)
}

function jsonOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value ?? {})
  try {
    parseJson(value)
    return value
  } catch {
    return JSON.stringify(value)
  }
}

export function searchKey(action: unknown): string {
  return shortHash(16, JSON.stringify(action ?? {}))
}

export function picture({ status, result, saved_path }: Fields): Fields | undefined {
  const data = typeof result === 'string' && result.length > 0 ? withoutBinary({ base64: result }) : result
  return filled({ status, content: fieldsOf(data)?.base64 ?? data, saved_path })
}

function callItem(type: string, call: Call & { readonly payload: Fields }, reading: Reading): void {
  const { state } = reading
  const { payload, tool, params, result, search } = call
  flushAsked(reading)
  flushReplies(reading)
  const scope = scopeOf(reading, payload)
  const hash = shortHash(16, type, '\n', tool, '\n', params)
  const named = textOf(payload.call_id) ?? textOf(payload.id)
  const part = named === undefined ? madeName(reading, scope, { kind: 'call', hash }) : nameOfCall(reading, scope, named)
  const known: KnownCall = {
    part,
    tool,
    ...(textOf(payload.call_id) === undefined ? {} : { call: textOf(payload.call_id) as string }),
    ...given({ search }),
  }
  state.calls.push(known)
  pushReply(reading, {
    is: 'calls',
    name: part,
    hash,
    blocks: [{ type: 'tool_use', id: part, ...(type === 'function_call' ? {} : { call: type }), ...filledBut(payload, ELSEWHERE) }],
    toolCalls: [{ id: part, name: tool, params }],
    toolResults: result === undefined ? undefined : [{ callId: part, result: JSON.stringify(result), isError: result.status === 'failed' }],
  })
}

function outputItem(type: string, payload: Fields, reading: Reading): void {
  const { state } = reading
  flushAsked(reading)
  flushReplies(reading)
  const scope = scopeOf(reading, payload)
  const id = textOf(payload.call_id)
  const call = callOf(state.calls, id)
  const content =
    type === 'tool_search_output' ? withoutBinary(payload.tools ?? []) : outputOf(type === 'tool_result' ? payload.result : payload.output)
  const hash = shortHash(16, 'output', '\n', JSON.stringify(content))
  const part = call?.part ?? (id === undefined ? madeName(reading, scope, { kind: 'output', hash }) : nameOfId(scope, id))
  const held = state.heldFacts.find((facts) => facts.part === part)
  if (held) state.heldFacts.splice(state.heldFacts.indexOf(held), 1)
  if (call) call.output = `${part}#output`
  const child = held?.child ?? (call?.tool.includes('spawn_agent') ? spawnedIn(payload.output) : undefined)
  const rest = filledBut(payload, ELSEWHERE)
  pushResult(reading, {
    id: `${part}#output`,
    hash,
    result: {
      callId: part,
      result: JSON.stringify({ content, ...(rest === undefined ? {} : rest), ...held?.facts }),
      isError: isError(payload.output) || payload.status === 'failed',
      ...given({ childSession: child }),
      ...held?.times,
    },
  })
}

export interface Result {
  readonly id: string
  readonly hash: string
  readonly result: ToolResultPart
  /** Set for a call without an item: emitted with its result. */
  readonly call?: { readonly name: string; readonly params: string; readonly startedAt?: number }
  readonly at?: number | undefined
}

export function pushResult(reading: Reading, { id, hash, result, call, at }: Result): void {
  closeReply(reading.state)
  pushMessage(reading, {
    id,
    role: 'tool',
    kind: 'tool_result',
    trust: 'untrusted',
    text: '',
    hash,
    at,
    toolCalls: call === undefined ? undefined : [{ id: result.callId, ...call }],
    toolResults: [result],
  })
}

/** Without an id: the newest call with neither id nor result. */
function callOf(calls: readonly KnownCall[], id: string | undefined): KnownCall | undefined {
  return calls.findLast((call) => call.call === id && (id !== undefined || (call.output === undefined && call.search === undefined)))
}

function outputOf(output: unknown): unknown {
  if (Array.isArray(output)) return output.map(withoutSecrets)
  return withoutSecrets(output ?? '')
}

const EXIT = /^(?:[^\n]*\n){0,4}?(?:Exit code: |Process exited with code )(\d+)/

function isError(output: unknown): boolean {
  if (isFields(output)) return output.success === false || isError(output.content ?? output.text)
  if (Array.isArray(output)) return isError(fieldsOf(output[0])?.text)
  if (typeof output !== 'string') return false
  if (output.startsWith('{"output"')) return Number(/"exit_code":\s*(-?\d+)/.exec(output.slice(-400))?.[1] ?? 0) !== 0
  return Number(EXIT.exec(output.slice(0, 600))?.[1] ?? 0) !== 0
}

function spawnedIn(output: unknown): string | undefined {
  if (typeof output !== 'string' || !output.startsWith('{')) return undefined
  const match = /"(?:agent_id|thread_id|new_thread_id)":\s*"([^"]+)"/.exec(output.slice(0, 2000))
  return match?.[1]
}
