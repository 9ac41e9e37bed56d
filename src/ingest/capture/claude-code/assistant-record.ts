/** One API message spans several lines. Text that the harness wrote in the model's name is no answer. */
import { shortHash } from '../../../core/hash.ts'
import { type Fields, fieldsOf, filled, textOf } from '../fields.ts'
import { readContent } from './content.ts'
import { pushMessage } from './emit.ts'
import { push, type Reading, type SeenPart } from './read-state.ts'
import type { RecordOfSession } from './session-of.ts'
import { pushTaken } from './user-record.ts'

const SUBAGENT_TOOLS: ReadonlySet<string> = new Set(['Task', 'Agent'])

export function assistantRecord(reading: Reading, at: RecordOfSession): boolean {
  const { record, within } = at
  const message = fieldsOf(record.message)
  const uuid = textOf(record.uuid)
  const content = readContent(message?.content, uuid)
  if (message === undefined || content === undefined) return false
  const hash = shortHash(16, 'assistant', '\n', ...content.pieces)
  const text = content.texts.join('\n\n')
  const model = textOf(message.model)
  const synthetic = model === '<synthetic>'
  if (synthetic || record.isApiErrorMessage === true) {
    pushMessage(reading, at, { role: 'system', kind: 'notice', trust: 'agent', text, hash })
    return true
  }
  const id = textOf(message.id)
  if (id !== undefined && uuid !== undefined) {
    const seen = reading.state.parts.get(id)
    const repeated = seen?.find(([known, name, request]) => known === hash && name !== uuid && request !== requestOf(record))
    if (repeated) {
      // A resumed session repeats the last answer under a new name; it is not a second part.
      push(reading, { type: 'link', session: within.session, recordId: uuid, parent: repeated[1] })
      return true
    }
    if (seen === undefined) pushTaken(reading, at)
    notePart(reading, id, [hash, uuid, requestOf(record)])
  }
  noteTasks(reading, message)
  pushMessage(reading, at, {
    role: 'assistant',
    kind: 'reply',
    trust: 'agent',
    text,
    hash,
    blocks: content.blocks,
    id,
    model,
    provider: providerOf(id, model),
    toolCalls: content.calls.length === 0 ? undefined : content.calls,
    metadata: answerFacts(message),
  })
  return true
}

const SERVED_BY: readonly (readonly [id: RegExp, provider: string])[] = [
  [/^msg_bdrk_/, 'bedrock'],
  [/^msg_vrtx_/, 'vertex'],
  [/^msg_01[0-9A-Za-z]{22}$/, 'anthropic'],
]

/** Gateways for other models use other ids or model names. */
function providerOf(id: string | undefined, model: string | undefined): string | undefined {
  if (id === undefined || model === undefined || !/claude/i.test(model)) return undefined
  return SERVED_BY.find(([shape]) => shape.test(id))?.[1]
}

function answerFacts(message: Fields): Fields | undefined {
  const { stop_reason, stop_sequence, stop_details, usage } = message
  return filled({ stop_reason, stop_sequence, stop_details, usage: numbersOf(usage) })
}

function numbersOf(usage: unknown): unknown {
  const fields = fieldsOf(usage)
  if (fields === undefined) return undefined
  const numbers: Record<string, number> = {}
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    if (typeof value === 'number' && value !== 0) numbers[key] = value
  }
  return numbers
}

function requestOf(record: Fields): string {
  return textOf(record.requestId) ?? ''
}

function notePart({ state }: Reading, id: string, part: SeenPart): void {
  const parts = state.parts.get(id) ?? []
  parts.push(part)
  state.parts.delete(id)
  state.parts.set(id, parts)
}

/** Maps prompts to the calls that start subagents, for inline sidechains. */
function noteTasks({ state }: Reading, message: Fields): void {
  if (!Array.isArray(message.content)) return
  for (const block of message.content) {
    const call = fieldsOf(block)
    if (call?.type !== 'tool_use' || !SUBAGENT_TOOLS.has(String(call.name))) continue
    const prompt = textOf(fieldsOf(call.input)?.prompt)
    const id = textOf(call.id)
    if (prompt !== undefined && id !== undefined) state.tasks.set(shortHash(16, prompt), id)
  }
}
