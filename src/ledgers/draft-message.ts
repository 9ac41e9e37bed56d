/** A message while its records still come in: one or several parts, joined. Pure; the ledger writes the result. */
import { countMessageTokens } from '../core/tokens.ts'
import type { MessageExtras, MessageRef, NewMessage, StoredMessage } from '../store/agent-rows.ts'
import type { MessageRecord } from './agent-record.ts'

export interface DraftMessage extends MessageRef {
  /** What others keep of it: the draft itself, with all its text, must go with its batch. */
  readonly ref: MessageRef
  readonly sequence: number
  readonly native_id: string
  readonly parent: MessageRef | undefined
  readonly role: MessageRecord['role']
  readonly stored: boolean
  text: string
  tokens: number
  timestamp: number | null
  model: string | null
  /** Its turn keeps it: a message has no place for it. */
  provider: string | null
  readonly speaker: string | null
  readonly trust: string
  metadata: Record<string, unknown>
  blocks: unknown[]
  extras: MessageExtras
  /** Whether the visible text is new: what makes the documents of its turn stale. */
  textChanged: boolean
  newCalls: number
  /** Tool calls it has in all: the number of the next one. */
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

export function newDraft(record: MessageRecord, at: Placement): DraftMessage {
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
    stored: false,
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

function refOf(message: MessageRef): MessageRef {
  const { id, session_id, opener_id, kind, opener_kind } = message
  return { id, session_id, opener_id, kind, opener_kind }
}

/** A message stored by an earlier batch, opened again because another part of it came. */
export function storedDraft(row: StoredMessage): DraftMessage {
  const { blocks, ...metadata } = (row.metadata_json === null ? {} : JSON.parse(row.metadata_json)) as Record<string, unknown>
  const ref = refOf(row)
  return {
    ...ref,
    ref,
    native_id: row.native_id,
    sequence: row.sequence,
    parent: undefined,
    role: row.role,
    stored: true,
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

/** Takes over a later version of the same record, whole. */
export function replaceWith(draft: DraftMessage, record: MessageRecord): void {
  draft.textChanged ||= draft.text !== record.text
  draft.text = record.text
  if (isSpeech(draft.role)) {
    const tokens = countMessageTokens(draft.text)
    draft.addedTokens += tokens - draft.tokens
    draft.tokens = tokens
  }
  draft.blocks = [...(record.blocks ?? [])]
  draft.metadata = { ...record.metadata }
  const { is_agentic } = draft.extras
  draft.extras = extrasOf(record)
  // The calls that an earlier version made stay.
  draft.extras.is_agentic = Math.max(is_agentic, draft.extras.is_agentic)
  draft.timestamp = record.timestamp ?? draft.timestamp
  draft.model = record.model ?? draft.model
  draft.provider = record.provider ?? draft.provider
}

/**
 * What another telling of a message is to the one at hand, where nobody knows which is the later one: a longer one, a shorter one (or as
 * long), or something else. Two ledgers that ask this of each other's messages end with the same one.
 */
export function compare(draft: DraftMessage, record: MessageRecord): 'fuller' | 'shorter' | 'other' {
  const [ours, theirs] = [draft.text.trim(), record.text.trim()]
  if (ours !== theirs) return theirs.startsWith(ours) ? 'fuller' : ours.startsWith(theirs) ? 'shorter' : 'other'
  const [mine, other] = [
    metadataJson(draft) ?? '',
    metadataJson({ metadata: { ...record.metadata }, blocks: [...(record.blocks ?? [])] }) ?? '',
  ]
  return other.length > mine.length || (other.length === mine.length && other > mine) ? 'fuller' : 'shorter'
}

/** Adds a further part: texts apart by a blank line, blocks in order, the largest usage. */
export function addPart(draft: DraftMessage, record: MessageRecord): void {
  if (record.text !== '') {
    draft.text = draft.text === '' ? record.text : `${draft.text}\n\n${record.text}`
    draft.textChanged = true
    if (isSpeech(draft.role)) {
      const tokens = countMessageTokens(draft.text)
      draft.addedTokens += tokens - draft.tokens
      draft.tokens = tokens
    }
  }
  draft.blocks.push(...(record.blocks ?? []))
  draft.timestamp ??= record.timestamp ?? null
  draft.model = record.model ?? draft.model
  draft.provider = record.provider ?? draft.provider
  if ((record.toolCalls?.length ?? 0) > 0) draft.extras = { ...draft.extras, is_agentic: 1 }
  const usage = largest(draft.metadata.usage, record.metadata?.usage)
  Object.assign(draft.metadata, record.metadata)
  if (usage !== undefined) draft.metadata.usage = usage
}

export function messageRow(draft: DraftMessage, turnId: string): NewMessage {
  return {
    id: draft.id,
    session_id: draft.session_id,
    native_id: draft.native_id,
    turn_id: turnId,
    opener_id: draft.opener_id,
    parent_id: draft.parent?.id ?? null,
    role: draft.role,
    kind: draft.kind,
    content: draft.text,
    sequence: draft.sequence,
    timestamp: draft.timestamp,
    speaker: draft.speaker,
    trust: draft.trust,
    model: draft.model,
    ...draft.extras,
    metadata_json: metadataJson(draft),
  }
}

export function metadataJson(draft: Pick<DraftMessage, 'metadata' | 'blocks'>): string | null {
  const { metadata, blocks } = draft
  if (blocks.length === 0 && Object.keys(metadata).length === 0) return null
  return JSON.stringify(blocks.length === 0 ? metadata : { ...metadata, blocks })
}

export function isSpeech(role: string): boolean {
  return role === 'user' || role === 'assistant'
}

/** Usage repeats on every part of a message and grows: the largest of each number is the truth, never the sum. */
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
