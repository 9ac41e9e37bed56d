/** Parameters and results are JSON strings, often missing. Never throws. */
import { isDeepStrictEqual } from 'node:util'
import { given } from '../../../core/given.ts'
import type { ToolCallPart, ToolResultPart } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, filledBut, textOf } from '../fields.ts'
import { parsedJson } from './row-value.ts'

export interface BubbleTool {
  readonly call: ToolCallPart
  readonly result?: ToolResultPart
  /** The model's raw arguments, if Cursor changed them. */
  readonly metadata: Fields | undefined
}

/** Stored as call or result, or a binary copy. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['name', 'toolCallId', 'params', 'rawArgs', 'result', 'status', 'error', 'userDecision', 'additionalData', 'attachments'],
  ...['toolCallBinary', 'tool', 'toolIndex'],
])
const COPIES: ReadonlySet<string> = new Set(['composerData'])

export function bubbleTool(data: Fields, bubble: string): BubbleTool | undefined {
  const { tool } = data
  const name = textOf(data.name) ?? (typeof tool === 'number' && tool > 0 ? `tool-${tool}` : undefined)
  if (name === undefined) return undefined
  const id = textOf(data.toolCallId) ?? `${bubble}#call`
  const raw = inner(data.rawArgs)
  const params = inner(data.params) ?? raw ?? {}
  const metadata = { raw_args: isDeepStrictEqual(raw, params) ? undefined : raw, ...filledBut(data, ELSEWHERE) }
  const result = resultOf(data, id)
  return {
    call: { id, name, params: JSON.stringify(withoutBinary(params)) },
    ...given({ result }),
    metadata: filled(withoutBinary(metadata) as Fields),
  }
}

function resultOf(data: Fields, callId: string): ToolResultPart | undefined {
  const content = inner(data.result)
  const status = textOf(data.status)
  const { error } = data
  const failed = status === 'error' || status === 'cancelled' || (error !== undefined && error !== null && error !== '')
  if (content === undefined && !failed && (status === undefined || status === 'loading')) return undefined
  const additional = fieldsOf(data.additionalData)
  const said = {
    content: content ?? '',
    status,
    error: error ?? undefined,
    userDecision: data.userDecision ?? undefined,
    additionalData: additional === undefined ? undefined : filledBut(additional, COPIES),
    attachments: data.attachments ?? undefined,
  }
  const child = textOf(additional?.subagentComposerId) ?? childOf(data, content)
  return given({ callId, result: JSON.stringify(withoutBinary(said)), isError: failed, childSession: child })
}

function childOf(data: Fields, content: unknown): string | undefined {
  return /task|agent/i.test(textOf(data.name) ?? '') ? textOf(fieldsOf(content)?.agentId) : undefined
}

function inner(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined
  return typeof value === 'string' ? (parsedJson(value) ?? value) : value
}
