import { given } from '../../../core/given.ts'
import type { ToolCallPart } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filledBut, isFields } from '../fields.ts'
import { contentText } from './tool-result.ts'

export interface Content {
  readonly texts: readonly string[]
  /** Ordered: texts by length, calls and results by id, the rest verbatim. */
  readonly blocks: readonly unknown[]
  readonly calls: readonly ToolCallPart[]
  readonly results: readonly { readonly block: Fields; readonly callId: string | undefined }[]
  readonly others: number
  /** Parts of the record's identity hash. */
  readonly pieces: readonly string[]
}

/** Undefined if `content` is invalid. `name` yields ids for calls without one. */
export function readContent(content: unknown, name: string | undefined): Content | undefined {
  if (typeof content === 'string') {
    return { texts: [content], blocks: [{ type: 'text', length: content.length }], calls: [], results: [], others: 0, pieces: [content] }
  }
  if (!Array.isArray(content)) return undefined
  const result: Parts = { texts: [], blocks: [], calls: [], results: [], others: 0, pieces: [] }
  for (const block of content as unknown[]) {
    if (!isFields(block)) addOther(block, result)
    else if (block.type === 'text' && typeof block.text === 'string') addText(block, block.text, result)
    else if (block.type === 'tool_use') addCall(block, name, result)
    else if (block.type === 'tool_result') {
      const callId = typeof block.tool_use_id === 'string' ? block.tool_use_id : undefined
      result.results.push({ block, callId })
      result.blocks.push({ type: 'tool_result', ...given({ id: callId }) })
      result.pieces.push('result', callId ?? '', resultPiece(block))
    } else addOther(block, result)
  }
  return result
}

interface Parts {
  readonly texts: string[]
  readonly blocks: unknown[]
  readonly calls: ToolCallPart[]
  readonly results: { block: Fields; callId: string | undefined }[]
  readonly pieces: string[]
  others: number
}

const OF_TEXT: ReadonlySet<string> = new Set(['type', 'text'])
const OF_CALL: ReadonlySet<string> = new Set(['type', 'id', 'name', 'input'])

function addText(block: Fields, text: string, to: Parts): void {
  to.texts.push(text)
  to.blocks.push({ type: 'text', length: text.length, ...filledBut(block, OF_TEXT) })
  to.pieces.push(text)
}

function addCall(block: Fields, name: string | undefined, to: Parts): void {
  const { id: given, name: tool, input } = block
  const id = typeof given === 'string' && given !== '' ? given : callName(name, to.calls.length)
  const params = JSON.stringify(input ?? {})
  to.calls.push({ id, name: typeof tool === 'string' ? tool : '', params })
  to.blocks.push({ type: 'tool_use', id, ...filledBut(block, OF_CALL) })
  to.pieces.push('call', id, params)
}

function addOther(block: unknown, to: Parts): void {
  const kept = withoutBinary(block)
  to.blocks.push(kept)
  to.others += 1
  const thinking = isFields(block) && typeof block.thinking === 'string' ? block.thinking : undefined
  to.pieces.push(thinking ?? JSON.stringify(kept) ?? '')
}

export function callName(record: string | undefined, index: number): string {
  return `${record ?? 'call'}#${index}`
}

function resultPiece(block: Fields): string {
  const { content } = block
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const binary = content.some((item) => fieldsOf(item)?.type !== 'text')
  return binary ? (JSON.stringify(withoutBinary(content)) ?? '') : contentText(content)
}
