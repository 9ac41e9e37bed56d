/** A running call has no result; its row is replaced later. */
import { given } from '../../../core/given.ts'
import { sha256 } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { ToolCallPart, ToolResultPart } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, filledBut, isFields, textOf } from '../fields.ts'

export interface ToolUse {
  readonly call: ToolCallPart
  readonly result: ToolResultPart | undefined
  readonly block: unknown
}

const OF_PART: ReadonlySet<string> = new Set(['type', 'id', 'messageID', 'sessionID', 'callID', 'tool', 'state'])
const OF_STATE: ReadonlySet<string> = new Set(['status', 'input', 'raw', 'output', 'error', 'metadata', 'attachments'])
const UNFINISHED: ReadonlySet<string> = new Set(['pending', 'running'])
/** Full file copies around an edit; the diff suffices. */
const FILE_COPIES: ReadonlySet<string> = new Set(['before', 'after'])
/** Longer texts that the output contains are not stored again. */
const LONG = 80

/** Counter ids such as `call_0` or `functions.bash:3` are not unique. */
const COUNTED = /^(?:[\w.-]*[a-z.-][:_-])?\d{1,4}$/i

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
    // A failed dispatch is recorded as a completed call to `invalid`.
    isError: failed || name === 'invalid',
    ...given({ childSession: child }),
  }
}

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
