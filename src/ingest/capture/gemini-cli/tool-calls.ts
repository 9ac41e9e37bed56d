import { given } from '../../../core/given.ts'
import { sha256 } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { ToolCallPart, ToolResultPart } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, filledBut, isFields, textOf } from '../fields.ts'

export interface ToolUses {
  readonly calls: ToolCallPart[]
  readonly results: ToolResultPart[]
  readonly blocks: unknown[]
}

const ENDED: ReadonlySet<unknown> = new Set(['success', 'error', 'cancelled'])
const OF_CALL: ReadonlySet<string> = new Set(
  'id name args result status timestamp agentId displayName description renderOutputAsMarkdown resultDisplay'.split(' '),
)
const FILE_COPIES: ReadonlySet<string> = new Set(['originalContent', 'newContent', 'proposedContent'])
/** A longer one is the tool's constant documentation. */
const LONGEST_DESCRIPTION = 200
const LONG = 80

export function readToolCalls(list: unknown, message: string): ToolUses {
  const to: ToolUses = { calls: [], results: [], blocks: [] }
  for (const [index, call] of (Array.isArray(list) ? list : []).entries()) {
    if (!isFields(call)) continue
    const id = textOf(call.id) ?? `${message}#${index}`
    to.calls.push({ id, name: textOf(call.name) ?? '', params: JSON.stringify(withoutBinary(call.args ?? {})) })
    to.blocks.push({ type: 'tool_use', id, ...filledBut(call, OF_CALL) })
    if (call.result !== undefined && call.result !== null) to.results.push(resultOf(id, call))
    else if (ENDED.has(call.status)) to.results.push(resultOf(id, call))
    // The call's timestamp is its end; the message's is the request.
    const result = to.results.at(-1)
    if (result?.callId === id) to.results[to.results.length - 1] = { ...result, ...given({ completedAt: parseTimestamp(call.timestamp) }) }
  }
  return to
}

export function responseResult(response: Fields, fallback: string): ToolResultPart {
  return resultOf(textOf(response.id) ?? fallback, { result: [{ functionResponse: response }] })
}

function resultOf(callId: string, call: Fields): ToolResultPart {
  const content = withoutBinary(contentOf(call.result))
  const said = typeof content === 'string' ? content : JSON.stringify(content)
  const description = textOf(call.description)
  const child = textOf(call.agentId)
  return {
    callId,
    result: JSON.stringify({
      content,
      ...filled({
        status: call.status,
        timestamp: call.timestamp,
        description: description !== undefined && description.length <= LONGEST_DESCRIPTION ? description : undefined,
        display: displayOf(call.resultDisplay, said),
      }),
    }),
    isError: call.status === 'error' || call.status === 'cancelled' || (isFields(content) && textOf(content.error) !== undefined),
    ...given({ childSession: child }),
  }
}

function contentOf(result: unknown): unknown {
  if (!Array.isArray(result)) return result ?? ''
  const response = result.length === 1 ? fieldsOf(fieldsOf(fieldsOf(result[0])?.functionResponse)?.response) : undefined
  if (response === undefined) return result
  const { output, ...rest } = response
  return typeof output === 'string' && Object.keys(rest).length === 0 ? output : response
}

/** Drops what the content already has, and whole file copies. */
function displayOf(display: unknown, said: string): unknown {
  if (typeof display === 'string') return said.includes(display.trim()) ? undefined : display
  if (!isFields(display)) return display === undefined ? undefined : withoutBinary(display)
  const kept = Object.entries(display).map(([key, value]) => {
    const copy = FILE_COPIES.has(key) && typeof value === 'string' && value.length >= LONG
    return [key, copy ? { sha256: sha256(value), bytes: Buffer.byteLength(value) } : withoutBinary(value)]
  })
  return Object.fromEntries(kept)
}
