/** Never throws. */
import { given } from '../../../core/given.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { ToolCallPart, ToolResultPart } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, filledBut, textOf } from '../fields.ts'

export interface Content {
  readonly text: string
  /** Ordered: texts by length, calls and results by id, the rest verbatim. Empty for a single text. */
  readonly blocks: readonly unknown[]
  readonly calls: readonly ToolCallPart[]
  readonly results: readonly ToolResultPart[]
  readonly unknown: readonly string[]
}

const WHOLE: ReadonlySet<string> = new Set([
  'thinking',
  'redacted_thinking',
  'token_budget',
  'flag',
  'image',
  'document',
  'file',
  'knowledge',
])

interface Parts {
  readonly message: string
  readonly texts: string[]
  readonly blocks: unknown[]
  readonly calls: ToolCallPart[]
  readonly results: ToolResultPart[]
  readonly unknown: string[]
}

/** `id` is the message's; unnamed calls derive theirs from it. */
export function readContent(message: Fields, id: string): Content {
  const parts: Parts = { message: id, texts: [], blocks: [], calls: [], results: [], unknown: [] }
  const { content } = message
  if (typeof content === 'string') addText({ text: content }, content, parts)
  for (const value of Array.isArray(content) ? (content as unknown[]) : []) addBlock(value, parts)
  const { texts, blocks, calls, results, unknown } = parts
  const text = texts.length > 0 ? texts.join('\n\n') : flattened(message.text)
  const plain = blocks.length === 1 && texts.length === 1 && Object.keys(blocks[0] as object).length === 2
  return { text, blocks: plain ? [] : blocks, calls, results, unknown }
}

const PLACEHOLDER = /```\s{0,4}This block is not supported on your current device yet\.\s{0,4}```/g

/** Older exports have only this flat text. */
function flattened(text: unknown): string {
  const whole = textOf(text) ?? ''
  if (!whole.includes('not supported on your current device')) return whole
  return whole.replace(PLACEHOLDER, '').trim()
}

function addBlock(value: unknown, to: Parts): void {
  const block = fieldsOf(value)
  const type = textOf(block?.type) ?? ''
  if (block === undefined) to.blocks.push({ type: 'part', value: withoutBinary(value) })
  else if (type === 'text' && typeof block.text === 'string') addText(block, block.text, to)
  else if (type === 'voice_note' && typeof block.text === 'string') addText(block, block.text, to)
  else if (type === 'tool_use') addCall(block, to)
  else if (type === 'tool_result') addResult(block, to)
  else {
    to.blocks.push(withoutBinary(filled(block) ?? {}))
    if (!WHOLE.has(type) && type !== 'text') to.unknown.push(`content ${type}`)
  }
}

const OF_TEXT: ReadonlySet<string> = new Set(['type', 'text'])
const OF_CALL: ReadonlySet<string> = new Set(['type', 'id', 'name', 'input'])
const OF_RESULT: ReadonlySet<string> = new Set(['type', 'tool_use_id', 'name', 'content', 'is_error'])

function addText(block: Fields, text: string, to: Parts): void {
  if (text !== '') to.texts.push(text)
  to.blocks.push({ type: textOf(block.type) ?? 'text', length: text.length, ...timeless(filledBut(block, OF_TEXT)) })
}

/** Drops block times, which add nothing; calls keep theirs. */
function timeless(fields: Fields | undefined): Fields | undefined {
  if (fields === undefined) return undefined
  const { start_timestamp: _, stop_timestamp: __, ...rest } = fields
  return withoutBinary(rest) as Fields
}

function addCall(block: Fields, to: Parts): void {
  const id = textOf(block.id) ?? `${to.message}#${to.calls.length}`
  to.calls.push({
    id,
    name: textOf(block.name) ?? '',
    params: JSON.stringify(withoutBinary(block.input) ?? {}),
    ...given({ startedAt: parseTimestamp(block.start_timestamp) }),
  })
  to.blocks.push({ type: 'tool_use', id, ...timeless(filledBut(block, OF_CALL)) })
}

function addResult(block: Fields, to: Parts): void {
  const callId = textOf(block.tool_use_id) ?? callBefore(textOf(block.name), to) ?? `${to.message}#result-${to.results.length}`
  const more = timeless(filledBut(block, OF_RESULT))
  const result = JSON.stringify({ content: withoutBinary(block.content) ?? '', ...more })
  const ended = parseTimestamp(block.stop_timestamp) ?? parseTimestamp(block.start_timestamp)
  to.results.push({ callId, result, isError: block.is_error === true, ...given({ completedAt: ended }) })
  to.blocks.push({ type: 'tool_result', id: callId })
}

function callBefore(name: string | undefined, { calls, results }: Parts): string | undefined {
  const answered = new Set(results.map((result) => result.callId))
  const open = calls.filter((call) => !answered.has(call.id))
  return (open.find((call) => call.name === name) ?? open[0])?.id
}
