import { countMessageTokens } from '../core/tokens.ts'
import type { MessageExtras, MessageRef, NewMessage, StoredMessage } from '../store/agent-rows.ts'
import type { MessageRecord } from './agent-record.ts'

export interface BatchMessage extends MessageRef {
  /** Small reference: the message with its text must be freed with its batch. */
  readonly ref: MessageRef
  readonly sequence: number
  readonly native_id: string
  readonly parent: MessageRef | undefined
  readonly role: MessageRecord['role']
  readonly isStored: boolean
  text: string
  tokens: number
  timestamp: number | null
  model: string | null
  /** Stored with the turn; messages have no such column. */
  provider: string | null
  readonly speaker: string | null
  readonly trust: string
  metadata: Record<string, unknown>
  blocks: unknown[]
  extras: MessageExtras
  /** The turn's documents are stale. */
  textChanged: boolean
  newCalls: number
  calls: number
  addedTokens: number
}

export interface Placement {
  readonly id: string
  readonly nativeId: string
  readonly sessionId: string
  readonly opener: { id: string; kind: string }
  readonly parent: MessageRef | undefined
  readonly sequence: number
}

export function newMessage(record: MessageRecord, at: Placement): BatchMessage {
  const tokens = isSpeech(record.role) ? countMessageTokens(record.text) : 0
  const { id, sessionId: session_id } = at
  const { id: opener_id, kind: opener_kind } = at.opener
  return {
    id,
    session_id,
    opener_id,
    opener_kind,
    kind: record.kind,
    ref: { id, session_id, opener_id, opener_kind, kind: record.kind },
    native_id: at.nativeId,
    parent: at.parent,
    role: record.role,
    sequence: at.sequence,
    isStored: false,
    text: record.text,
    tokens,
    addedTokens: tokens,
    timestamp: record.timestamp ?? null,
    model: record.model ?? null,
    provider: record.provider ?? null,
    speaker: record.speaker ?? null,
    trust: record.trust,
    metadata: { ...record.metadata },
    blocks: record.blocks === undefined ? [] : [...record.blocks],
    extras: extrasOf(record),
    textChanged: record.text !== '',
    newCalls: 0,
    calls: 0,
  }
}

function extrasOf(record: MessageRecord): MessageExtras {
  return {
    checkpoint_id: record.checkpointId ?? null,
    is_agentic: Number(record.isAgentic === true || (record.toolCalls?.length ?? 0) > 0),
    is_plan_execution: Number(record.isPlanExecution ?? false),
    context_json: record.context === undefined ? null : JSON.stringify(record.context),
    cursor_rules_json: record.cursorRules === undefined ? null : JSON.stringify(record.cursorRules),
  }
}

/** The turn so far contains only harness notes. */
export function isNotes(message: Pick<MessageRef, 'opener_kind'> | undefined): boolean {
  return message?.opener_kind === 'attachment' || message?.opener_kind === 'notice'
}

function refOf(message: MessageRef): MessageRef {
  const { id, session_id, opener_id, kind, opener_kind } = message
  return { id, session_id, opener_id, kind, opener_kind }
}

export function storedMessage(row: StoredMessage): BatchMessage {
  const { blocks, ...metadata } = (row.metadata_json === null ? {} : JSON.parse(row.metadata_json)) as Record<string, unknown>
  const ref = refOf(row)
  return {
    ...ref,
    ref,
    native_id: row.native_id,
    sequence: row.sequence,
    parent: undefined,
    role: row.role,
    isStored: true,
    text: row.content ?? '',
    tokens: isSpeech(row.role) ? countMessageTokens(row.content ?? '') : 0,
    addedTokens: 0,
    timestamp: row.timestamp,
    model: row.model,
    provider: null,
    speaker: row.speaker,
    trust: row.trust,
    metadata,
    blocks: Array.isArray(blocks) ? blocks : [],
    extras: storedExtras(row),
    textChanged: false,
    newCalls: 0,
    calls: Array.isArray(blocks) ? blocks.filter((block) => (block as { type?: unknown } | null)?.type === 'tool_use').length : 0,
  }
}

function storedExtras({ checkpoint_id, is_agentic, is_plan_execution, context_json, cursor_rules_json }: StoredMessage): MessageExtras {
  return { checkpoint_id, is_agentic, is_plan_execution, context_json, cursor_rules_json }
}

export function replaceMessage(message: BatchMessage, record: MessageRecord): void {
  message.textChanged ||= message.text !== record.text
  message.text = record.text
  if (isSpeech(message.role)) {
    const tokens = countMessageTokens(message.text)
    message.addedTokens += tokens - message.tokens
    message.tokens = tokens
  }
  message.blocks = [...(record.blocks ?? [])]
  message.metadata = { ...record.metadata }
  const { is_agentic } = message.extras
  message.extras = extrasOf(record)
  message.extras.is_agentic = Math.max(is_agentic, message.extras.is_agentic)
  message.timestamp = record.timestamp ?? message.timestamp
  message.model = record.model ?? message.model
  message.provider = record.provider ?? message.provider
}

/** For versions of unknown order. Deterministic, so that two ledgers that import each other converge. */
export function compareVersions(message: BatchMessage, record: MessageRecord): 'fuller' | 'shorter' | 'other' {
  const [ours, theirs] = [message.text.trim(), record.text.trim()]
  if (ours !== theirs) return theirs.startsWith(ours) ? 'fuller' : ours.startsWith(theirs) ? 'shorter' : 'other'
  const [mine, other] = [
    metadataJson(message) ?? '',
    metadataJson({ metadata: { ...record.metadata }, blocks: [...(record.blocks ?? [])] }) ?? '',
  ]
  return other.length > mine.length || (other.length === mine.length && other > mine) ? 'fuller' : 'shorter'
}

export function addPart(message: BatchMessage, record: MessageRecord): void {
  if (record.text !== '') {
    message.text = message.text === '' ? record.text : `${message.text}\n\n${record.text}`
    message.textChanged = true
    if (isSpeech(message.role)) {
      const tokens = countMessageTokens(message.text)
      message.addedTokens += tokens - message.tokens
      message.tokens = tokens
    }
  }
  message.blocks.push(...(record.blocks ?? []))
  message.timestamp ??= record.timestamp ?? null
  message.model = record.model ?? message.model
  message.provider = record.provider ?? message.provider
  if ((record.toolCalls?.length ?? 0) > 0) message.extras = { ...message.extras, is_agentic: 1 }
  const usage = largest(message.metadata.usage, record.metadata?.usage)
  Object.assign(message.metadata, record.metadata)
  if (usage !== undefined) message.metadata.usage = usage
}

export function messageRow(message: BatchMessage, turnId: string): NewMessage {
  return {
    id: message.id,
    session_id: message.session_id,
    native_id: message.native_id,
    turn_id: turnId,
    opener_id: message.opener_id,
    parent_id: message.parent?.id ?? null,
    role: message.role,
    kind: message.kind,
    content: message.text,
    sequence: message.sequence,
    timestamp: message.timestamp,
    speaker: message.speaker,
    trust: message.trust,
    model: message.model,
    ...message.extras,
    metadata_json: metadataJson(message),
  }
}

export function metadataJson(message: Pick<BatchMessage, 'metadata' | 'blocks'>): string | null {
  const { metadata, blocks } = message
  if (blocks.length === 0 && Object.keys(metadata).length === 0) return null
  return JSON.stringify(blocks.length === 0 ? metadata : { ...metadata, blocks })
}

export function isSpeech(role: string): boolean {
  return role === 'user' || role === 'assistant'
}

/** Every part repeats growing usage numbers: take the maximum, not the sum. */
function largest(a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') return Math.max(a, b)
  if (isObject(a) && isObject(b)) {
    return Object.fromEntries([...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => [key, largest(a[key], b[key])]))
  }
  return b ?? a
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
