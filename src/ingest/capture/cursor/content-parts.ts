/** Never throws. */
import { sha256 } from '../../../core/hash.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, filledBut, isFields, textOf } from '../fields.ts'
import { listOf } from './row-value.ts'

export interface CallBlock {
  readonly id: string | undefined
  readonly name: string
  readonly input: unknown
}

export interface ResultBlock {
  readonly callId: string | undefined
  readonly content: unknown
  readonly isError: boolean
  readonly more: Fields | undefined
}

export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly call: CallBlock; readonly more: Fields | undefined }
  | { readonly type: 'result'; readonly result: ResultBlock }
  /** Thoughts, images, files: verbatim without bytes. */
  | { readonly type: 'other'; readonly block: unknown }
  | { readonly type: 'unknown'; readonly name: string; readonly block: unknown }

const CALLS: ReadonlySet<unknown> = new Set(['tool_use', 'tool-call', 'tool_call'])
const RESULTS: ReadonlySet<unknown> = new Set(['tool_result', 'tool-result'])
const OTHERS: ReadonlySet<unknown> = new Set([
  ...['thinking', 'reasoning', 'redacted-reasoning', 'redacted_reasoning', 'redacted_thinking'],
  ...['image', 'file', 'document', 'source'],
])
const OF_CALL: ReadonlySet<string> = new Set(['type', 'id', 'toolCallId', 'name', 'toolName', 'input', 'args'])
const OF_RESULT: ReadonlySet<string> = new Set([
  ...['type', 'tool_use_id', 'toolCallId', 'content', 'result', 'output', 'is_error', 'isError', 'name', 'toolName'],
])
/** Longer strings here are encrypted thoughts or image bytes. */
const SEALED: ReadonlySet<string> = new Set(['data', 'image', 'encrypted', 'encryptedContent'])
const LEAST = 256

/** Placeholder for thoughts. */
const REDACTED = /(?:^|\n\n)\[REDACTED\]\s*$/

export function contentParts(content: unknown): Part[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? listOf(content).flatMap(partsOf) : undefined
}

function partsOf(block: unknown): Part[] {
  if (typeof block === 'string') return [{ type: 'text', text: block }]
  if (!isFields(block)) return [{ type: 'unknown', name: 'a block that is no object', block }]
  const { type } = block
  if (type === 'text' && typeof block.text === 'string') return textParts(block.text)
  if (CALLS.has(type)) return [callPart(block)]
  if (RESULTS.has(type)) return [{ type: 'result', result: resultBlock(block) }]
  if (OTHERS.has(type)) return [{ type: 'other', block: unsealed(block) }]
  return [{ type: 'unknown', name: `block ${String(type)}`, block: unsealed(block) }]
}

function textParts(text: string): Part[] {
  const spoken = text.replace(REDACTED, '')
  if (spoken === text) return [{ type: 'text', text }]
  const hidden: Part = { type: 'other', block: { type: 'redacted' } }
  return spoken === '' ? [hidden] : [{ type: 'text', text: spoken }, hidden]
}

function callPart(block: Fields): Part {
  const id = textOf(block.id) ?? textOf(block.toolCallId)
  const name = textOf(block.name) ?? textOf(block.toolName) ?? ''
  return { type: 'call', call: { id, name, input: block.input ?? block.args ?? {} }, more: filledBut(block, OF_CALL) }
}

function resultBlock(block: Fields): ResultBlock {
  return {
    callId: textOf(block.tool_use_id) ?? textOf(block.toolCallId),
    content: withoutBinary(block.content ?? block.result ?? block.output ?? ''),
    isError: block.is_error === true || block.isError === true,
    more: filledBut(withoutBinary(block) as Fields, OF_RESULT),
  }
}

function unsealed(block: Fields): unknown {
  const entries = Object.entries(block).map(([key, value]) => {
    if (!SEALED.has(key) || typeof value !== 'string' || value.length < LEAST) return [key, value]
    return [key, { sha256: sha256(value), bytes: Buffer.byteLength(value) }]
  })
  return withoutBinary(Object.fromEntries(entries))
}
