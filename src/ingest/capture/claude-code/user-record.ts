import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import type { ToolResultPart } from '../../../ledgers/agent-record.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import { classifyUserText, type Spoken } from './classify-user-text.ts'
import { type Content, callName, readContent } from './content.ts'
import { pushMessage, type Said } from './emit.ts'
import type { QueuedPrompt, Reading } from './read-state.ts'
import { type RecordOfSession, sessionOf } from './session-of.ts'
import { toolResult } from './tool-result.ts'

const NOT_HUMAN: ReadonlySet<string> = new Set(['task-notification', 'hook', 'system', 'agent', 'teammate', 'coordinator'])

export function userRecord(reading: Reading, at: RecordOfSession): boolean {
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

/** Joins the summary with its preceding boundary. */
export function summaryRecord(reading: Reading, at: RecordOfSession, said: Pick<Said, 'text' | 'hash'>): void {
  const { state } = reading
  const { within } = at
  const boundary = state.boundary?.session === within.session ? state.boundary.metadata : undefined
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

function spokenOf({ record, within }: RecordOfSession, content: Content): Spoken {
  const spoken = classifyUserText(content.texts, { subagent: within.subagent !== undefined, others: content.others })
  if (spoken.kind !== 'prompt') return spoken
  const text = content.texts.join('\n\n')
  if (record.isMeta === true || record.isVisibleInTranscriptOnly === true || record.promptSource === 'system') {
    return { role: 'system', kind: 'meta', text, trust: 'untrusted' }
  }
  if (NOT_HUMAN.has(textOf(fieldsOf(record.origin)?.kind) ?? '')) return { role: 'system', kind: 'notice', text, trust: 'agent' }
  // Only blocks that no person can type.
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
  /** The record also has a person's words: results get another name, so that children follow the words. */
  readonly speaks: boolean
}

function resultRecord(reading: Reading, at: RecordOfSession, { content, hash, speaks }: Results): void {
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

/**
 * Queued prompts. A dequeued one reappears as a user record. One taken out mid-turn reappears only in newer versions, so older ones are
 * emitted once before the first answer.
 */
export function queueOperation(record: Fields, reading: Reading): void {
  const { state } = reading
  const text = readContent(record.content, undefined)?.texts.join('\n\n') ?? ''
  const { session } = sessionOf(record, reading)
  if (record.operation === 'enqueue' && text !== '') {
    const timestamp = textOf(record.timestamp)
    state.queue.push({ session, text, ...given({ timestamp }) })
  } else if (record.operation === 'dequeue') takeOut(state.queue, session, '')
  else if (record.operation === 'popAll') state.queue.splice(0)
  else if (record.operation === 'remove') {
    const taken = takeOut(state.queue, session, text)
    if (taken === undefined) return
    const known = state.delivered.indexOf(hashOf(taken.text))
    if (known === -1) state.taken.push(taken)
    else state.delivered.splice(known, 1)
  }
}

function takeOut(queue: QueuedPrompt[], session: string, text: string): QueuedPrompt | undefined {
  const at = queue.findIndex((entry) => entry.session === session && (text === '' || entry.text === text))
  return at === -1 ? undefined : queue.splice(at, 1)[0]
}

export function markDelivered(reading: Reading, text: string): void {
  const { state } = reading
  const at = state.taken.findIndex((entry) => entry.text === text)
  if (at !== -1) state.taken.splice(at, 1)
  else if (state.queue.some((entry) => entry.text === text)) state.delivered.push(hashOf(text))
}

export function pushTaken(reading: Reading, at: RecordOfSession): void {
  const { state } = reading
  if (state.taken.length === 0 || at.within.subagent !== undefined) return
  for (const entry of state.taken.filter((entry) => entry.session === at.within.session)) {
    state.taken.splice(state.taken.indexOf(entry), 1)
    pushQueued(reading, at, { texts: [entry.text], timestamp: entry.timestamp })
  }
}

interface QueuedText {
  readonly texts: readonly string[]
  readonly timestamp: string | undefined
}

/** A prompt without its own record: named by text and time, spliced in before `record`. */
export function pushQueued(reading: Reading, { record, within }: RecordOfSession, { texts, timestamp }: QueuedText): void {
  const text = texts.join('\n\n')
  const name = `queued-${shortHash(16, timestamp ?? '', '\n', text)}`
  const spoken = classifyUserText(texts, { subagent: within.subagent !== undefined, others: 0 })
  const { cwd, gitBranch, version } = record
  const envelope = { cwd, gitBranch, version, promptSource: 'queued', timestamp, parentUuid: record.parentUuid }
  pushMessage(reading, { record: envelope, within }, { ...spoken, name, hash: shortHash(16, spoken.role, '\n', text) })
  const above = textOf(record.parentUuid)
  if (above !== undefined) reading.state.splices.set(above, name)
}

function hashOf(text: string): string {
  return shortHash(16, text)
}
