import type { ToolCallPart } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { filledBut, isFields, textOf } from '../fields.ts'

export interface Content {
  readonly texts: string[]
  /** Ordered: texts by length, calls by id, the rest verbatim. */
  readonly blocks: unknown[]
  readonly calls: ToolCallPart[]
  others: number
}

const OF_TEXT: ReadonlySet<string> = new Set(['type', 'text'])
const OF_CALL: ReadonlySet<string> = new Set(['type', 'id', 'name', 'arguments', 'input'])
const CALLS: ReadonlySet<unknown> = new Set(['toolCall', 'tool_use', 'toolUse'])

/** Undefined if `content` is invalid. `name` yields ids for calls without one, `nameCall` for the others. */
export function readContent(content: unknown, name: string, nameCall: NameCall = (given) => given): Content | undefined {
  const result: Content = { texts: [], blocks: [], calls: [], others: 0 }
  if (typeof content === 'string') addText(content, {}, result)
  else if (!Array.isArray(content)) return undefined
  else for (const block of content as unknown[]) addBlock(block, { name, nameCall }, result)
  return result
}

type NameCall = (given: string) => string

function addBlock(block: unknown, { name, nameCall }: { name: string; nameCall: NameCall }, to: Content): void {
  if (isFields(block) && block.type === 'text' && typeof block.text === 'string') addText(block.text, block, to)
  else if (isFields(block) && CALLS.has(block.type)) {
    const given = textOf(block.id)
    const id = given === undefined ? `${name}#${to.calls.length}` : nameCall(given)
    to.calls.push({ id, name: textOf(block.name) ?? '', params: JSON.stringify(block.arguments ?? block.input ?? {}) })
    to.blocks.push({ type: 'tool_use', id, ...filledBut(block, OF_CALL) })
  } else {
    to.blocks.push(withoutBinary(block))
    to.others += 1
  }
}

function addText(text: string, block: Readonly<Record<string, unknown>>, to: Content): void {
  to.texts.push(text)
  to.blocks.push({ type: 'text', length: text.length, ...filledBut(block, OF_TEXT) })
}

export function plainText(content: unknown): string {
  return readContent(content, '')?.texts.join('\n\n') ?? ''
}
