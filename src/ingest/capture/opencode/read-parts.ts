import type { ToolCallPart, ToolResultPart } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, filledBut, textOf } from '../fields.ts'
import { toolPart } from './tool-part.ts'

export interface Parts {
  readonly texts: string[]
  readonly injected: string[]
  readonly blocks: unknown[]
  readonly calls: ToolCallPart[]
  readonly results: ToolResultPart[]
  attached: number
  compaction: Fields | undefined
  subtask: Fields | undefined
  readonly unknown: string[]
}

const NAMES: ReadonlySet<string> = new Set(['id', 'messageID', 'sessionID'])
const OF_TEXT: ReadonlySet<string> = new Set([...NAMES, 'type', 'text'])
const OF_STEP: ReadonlySet<string> = new Set([...NAMES, 'snapshot'])

/** `message`: drops steps that repeat its numbers. */
export function readParts(parts: readonly Fields[], message: { readonly id: string; readonly data: Fields }): Parts {
  const to: Parts = {
    texts: [],
    injected: [],
    blocks: [],
    calls: [],
    results: [],
    attached: 0,
    compaction: undefined,
    subtask: undefined,
    unknown: [],
  }
  for (const [index, part] of parts.entries())
    addPart(part, to, { fallback: textOf(part.id) ?? `${message.id}#${index}`, data: message.data })
  return to
}

function addPart(part: Fields, to: Parts, { fallback, data }: { fallback: string; data: Fields }): void {
  const { type } = part
  if (type === 'text') addText(part, to)
  else if (type === 'tool') addTool(part, fallback, to)
  else if (type === 'step-finish') addStep(part, data, to)
  else if (!SNAPSHOTS.has(type)) {
    if (type === 'file' || type === 'agent') to.attached += 1
    else if (type === 'compaction') to.compaction = part
    else if (type === 'subtask') to.subtask = part
    else if (!KEPT.has(type)) to.unknown.push(`part/${textOf(type) ?? '?'}`)
    keep(part, to)
  }
}

/** OpenCode's internal git objects. */
const SNAPSHOTS: ReadonlySet<unknown> = new Set(['step-start', 'snapshot'])
const KEPT: ReadonlySet<unknown> = new Set(['reasoning', 'patch', 'retry'])

/** A step's end, if its numbers differ from the message's. */
function addStep(part: Fields, data: Fields, to: Parts): void {
  if (filled(fieldsOf(part.tokens) ?? {}) === undefined || JSON.stringify(part.tokens) === JSON.stringify(data.tokens)) return
  to.blocks.push(filledBut(part, OF_STEP))
}

function addText(part: Fields, to: Parts): void {
  const text = textOf(part.text) ?? ''
  if (part.synthetic === true || part.ignored === true) {
    if (text !== '') to.injected.push(text)
    keep(part, to)
    return
  }
  to.texts.push(text)
  to.blocks.push({ type: 'text', length: text.length, ...filledBut(part, OF_TEXT) })
}

function addTool(part: Fields, fallback: string, to: Parts): void {
  const { call, result, block } = toolPart(part, fallback, new Set(to.calls.map(({ id }) => id)))
  to.calls.push(call)
  to.blocks.push(block)
  if (result !== undefined) to.results.push(result)
}

function keep(part: Fields, to: Parts): void {
  const kept = fieldsOf(withoutBinary(part)) ?? {}
  to.blocks.push(filledBut(kept, NAMES) ?? {})
}
