/** A tool part: the call, and its result once the tool has ended. A call that still runs has none; the row is replaced later. */
import { given } from '../../../core/given.ts'
import { sha256 } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { ToolCallPart, ToolResultPart } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, filledBut, isFields, textOf } from '../fields.ts'

export interface ToolUse {
  readonly call: ToolCallPart
  readonly result: ToolResultPart | undefined
  /** The block that stands for the call. */
  readonly block: unknown
}

const OF_PART: ReadonlySet<string> = new Set(['type', 'id', 'messageID', 'sessionID', 'callID', 'tool', 'state'])
const OF_STATE: ReadonlySet<string> = new Set(['status', 'input', 'raw', 'output', 'error', 'metadata', 'attachments'])
const UNFINISHED: ReadonlySet<string> = new Set(['pending', 'running'])
/** Copies of whole files as they were before and after an edit: the diff beside them says what changed. */
const FILE_COPIES: ReadonlySet<string> = new Set(['before', 'after'])
/** From this length on, a text that the output holds is not stored again. */
const LONG = 80

/** `call_0`, `functions.bash:3`: models that only count call many calls the same. */
const COUNTED = /^(?:[\w.-]*[a-z.-][:_-])?\d{1,4}$/i

/** `taken`: names of the calls before it in the same message. */
export function toolPart(part: Fields, fallbackId: string, taken: ReadonlySet<string> = new Set()): ToolUse {
  const state = fieldsOf(part.state) ?? {}
  const status = textOf(state.status) ?? ''
  const named = textOf(part.callID)
  const id = named === undefined || COUNTED.test(named) || taken.has(named) ? fallbackId : named
  const name = textOf(part.tool) ?? ''
  const input = withoutBinary(state.input ?? {})
  const raw = textOf(state.raw)
  const block = {
    type: 'tool_use',
    id,
    ...(named === undefined || named === id ? {} : { call_id: named }),
    ...filledBut(part, OF_PART),
    ...given({ raw: UNFINISHED.has(status) ? raw : undefined }),
  }
  const time = fieldsOf(state.time)
  const call = { id, name, params: JSON.stringify(input), ...given({ startedAt: parseTimestamp(time?.start) }) }
  const result = UNFINISHED.has(status) ? undefined : { ...resultOf(id, name, state), ...given({ completedAt: parseTimestamp(time?.end) }) }
  return { call, result, block }
}

function resultOf(callId: string, name: string, state: Fields): ToolResultPart {
  const failed = state.status === 'error'
  const content = withoutBinary((failed ? (state.error ?? state.output) : (state.output ?? state.error)) ?? '')
  const said = typeof content === 'string' ? content : JSON.stringify(content)
  const metadata = fieldsOf(state.metadata)
  const child = textOf(metadata?.sessionId) ?? textOf(metadata?.sessionID)
  return {
    callId,
    result: JSON.stringify({
      content,
      ...filledBut(state, OF_STATE),
      metadata: metadata === undefined ? undefined : filled(withoutCopies(withoutBinary(metadata), said) as Fields),
      attachments: state.attachments === undefined ? undefined : withoutBinary(state.attachments),
    }),
    // A call that no tool could take is written as one to `invalid`, which always "completes".
    isError: failed || name === 'invalid',
    ...given({ childSession: child }),
  }
}

/** What the output holds already, and whole files, are not stored again. */
function withoutCopies(value: unknown, output: string): unknown {
  if (typeof value === 'string') return value.length >= LONG && output.includes(value.trim()) ? { in_content: true } : value
  if (Array.isArray(value)) return value.map((inner) => withoutCopies(inner, output))
  if (!isFields(value)) return value
  const kept = Object.entries(value).map(([key, inner]) => {
    const copy = FILE_COPIES.has(key) && typeof inner === 'string' && inner.length >= LONG
    return [key, copy ? { sha256: sha256(inner), bytes: Buffer.byteLength(inner) } : withoutCopies(inner, output)]
  })
  return Object.fromEntries(kept)
}
