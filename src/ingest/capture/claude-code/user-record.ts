/** User records: prompts, tool results, compaction summaries, and all that the harness says in the user's name. */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import type { ToolResultPart } from '../../../ledgers/agent-record.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import { classifyUserText, type Spoken } from './classify-user-text.ts'
import { type Content, callName, readContent } from './content.ts'
import { pushMessage, type Said } from './emit.ts'
import type { Placed } from './place-of.ts'
import { markDelivered, pushTaken } from './queue.ts'
import type { Reading } from './read-state.ts'
import { toolResult } from './tool-result.ts'

/** Who a prompt comes from, where the harness says so and it was no person. */
const NOT_HUMAN: ReadonlySet<string> = new Set(['task-notification', 'hook', 'system', 'agent', 'teammate', 'coordinator'])

/** False where the record has no content to read. */
export function userRecord(reading: Reading, at: Placed): boolean {
  const { record } = at
  const content = readContent(fieldsOf(record.message)?.content, textOf(record.uuid))
  if (content === undefined) return false
  const hash = shortHash(16, 'user', '\n', ...content.pieces)
  if (record.isCompactSummary === true) {
    summaryRecord(reading, at, { text: content.texts.join('\n\n'), hash })
    return true
  }
  const speaks = content.texts.length > 0 || content.others > 0
  if (content.results.length > 0) {
    resultRecord(reading, at, { content, hash, speaks })
    if (!speaks) return true
  }
  const spoken = spokenOf(at, content)
  if (spoken.kind === 'prompt') {
    markDelivered(reading, content.texts.join('\n\n'))
    if (content.results.length === 0) pushTaken(reading, at)
  }
  const blocks = content.results.length > 0 ? content.blocks.filter((block) => fieldsOf(block)?.type !== 'tool_result') : content.blocks
  const plain = blocks.every((block) => fieldsOf(block)?.type === 'text')
  pushMessage(reading, at, {
    ...spoken,
    hash,
    blocks: plain ? undefined : blocks,
    parent: content.results.length > 0 ? resultName(record) : undefined,
  })
  return true
}

/** What became of a compaction: derived text, filed with what the boundary before it said. */
export function summaryRecord(reading: Reading, at: Placed, said: Pick<Said, 'text' | 'hash'>): void {
  const { state } = reading
  const { place } = at
  const boundary = state.boundary?.session === place.session ? state.boundary.metadata : undefined
  if (boundary) delete state.boundary
  const trigger = textOf(boundary?.trigger)
  const before = boundary?.preTokens
  pushMessage(reading, at, {
    ...said,
    role: 'system',
    kind: 'summary',
    trust: 'agent',
    compaction: {
      ...given({ trigger, tokensBefore: typeof before === 'number' ? before : undefined, metadata: boundary }),
    },
  })
}

function spokenOf({ record, place }: Placed, content: Content): Spoken {
  const spoken = classifyUserText(content.texts, { subagent: place.subagent !== undefined, others: content.others })
  if (spoken.kind !== 'prompt') return spoken
  const text = content.texts.join('\n\n')
  if (record.isMeta === true || record.isVisibleInTranscriptOnly === true || record.promptSource === 'system') {
    return { role: 'system', kind: 'meta', text, trust: 'untrusted' }
  }
  if (NOT_HUMAN.has(textOf(fieldsOf(record.origin)?.kind) ?? '')) return { role: 'system', kind: 'notice', text, trust: 'agent' }
  // Nothing but blocks that no person can have typed.
  const unknown = content.texts.length === 0 && content.blocks.every((block) => !isAttached(block))
  return unknown && content.results.length === 0 ? { role: 'system', kind: 'meta', text: '', trust: 'untrusted' } : spoken
}

function isAttached(block: unknown): boolean {
  const type = fieldsOf(block)?.type
  return type === 'image' || type === 'document'
}

interface Results {
  readonly content: Content
  readonly hash: string
  /** The record holds words of a person too: the results take another name, so that what follows the record follows the words. */
  readonly speaks: boolean
}

function resultRecord(reading: Reading, at: Placed, { content, hash, speaks }: Results): void {
  const { record } = at
  const name = speaks ? resultName(record) : undefined
  const called = textOf(record.sourceToolUseID)
  const above = textOf(record.sourceToolAssistantUUID) ?? textOf(record.parentUuid)
  const toolResults: ToolResultPart[] = content.results.map(({ block, callId }, index) => {
    const id = callId ?? (index === 0 ? called : undefined) ?? callName(above, index)
    const fullOutput = reading.outputs.get(id)
    return toolResult({ block, callId: id, extra: index === 0 ? record.toolUseResult : undefined, fullOutput })
  })
  pushMessage(reading, at, {
    role: 'tool',
    kind: 'tool_result',
    text: '',
    trust: 'untrusted',
    hash,
    toolResults,
    name,
    blocks: content.results.length > 1 ? content.blocks : undefined,
  })
}

function resultName(record: Fields): string | undefined {
  const uuid = textOf(record.uuid)
  return uuid === undefined ? undefined : `${uuid}#results`
}
