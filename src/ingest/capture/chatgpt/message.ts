/** Separates a person's text from what the service added. */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseJson } from '../../../core/nesting.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { MessageRecord, ToolCallPart } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, filledBut, textOf } from '../fields.ts'
import { withoutTimes } from '../tool-times.ts'
import { type Content, readContent, withoutMarks } from './content.ts'

export type Said = Omit<MessageRecord, 'type' | 'session' | 'parent'> & { readonly id: string }

export interface ReadMessage {
  readonly said: Said | undefined
  readonly unknown: readonly string[]
}

export type FindCall = (tool: string | undefined) => string | undefined

export function readMessage(message: Fields, id: string, findCall: FindCall): ReadMessage {
  const content = readContent(message.content)
  const metadata = fieldsOf(message.metadata) ?? {}
  const author = fieldsOf(message.author) ?? {}
  const unknown = content.kind === 'other' && content.type !== '' ? [`content ${content.type}`] : []
  const part = partOf({ message, content, metadata, author }, unknown)
  const { text, marks } = part.role === 'assistant' ? withoutMarks(content.text) : { text: content.text, marks: [] }
  const shown = part.shows ? text : ''
  const attachments = attachmentsOf(metadata)
  const calls = part.calls ? [callOf(message, content, id)] : []
  const results = part.role === 'tool' ? resultsOf({ message, content, metadata, author }, findCall) : undefined
  const blocks = results === undefined ? blocksOf(content, calls, part) : []
  if (shown === '' && blocks.length === 0 && attachments === undefined && part.kind !== 'reply' && part.kind !== 'tool_result') {
    return { said: undefined, unknown }
  }
  const kept = filled({
    ...envelope(message, author),
    ...filledBut(metadata, content.kind === 'instructions' ? OF_INSTRUCTIONS : OWN_PLACE),
    marks,
  })
  const time = parseTimestamp(message.create_time)
  const model = part.role === 'assistant' ? textOf(metadata.model_slug) : undefined
  const said: Said = {
    id,
    replaces: true,
    hash: shortHash(16, part.role, '\n', shown, '\n', JSON.stringify([blocks, calls, withoutTimes(results ?? []), attachments])),
    role: part.role,
    kind: part.kind,
    trust: part.trust,
    text: shown,
    ...given({ timestamp: time, model, blocks: blocks.length === 0 ? undefined : blocks }),
    ...(kept === undefined ? {} : { metadata: withoutBinary(kept) as Fields }),
    ...(attachments === undefined ? {} : { context: { attachments } }),
    ...given({ toolCalls: calls.length === 0 ? undefined : calls, toolResults: results }),
  }
  return { said, unknown }
}

type Part = Pick<MessageRecord, 'role' | 'kind' | 'trust'> & {
  /** The text becomes the message text. Otherwise it is kept only as a block. */
  readonly shows: boolean
  readonly calls: boolean
}

interface Source {
  readonly message: Fields
  readonly content: Content
  readonly metadata: Fields
  readonly author: Fields
}

const META: Part = { role: 'system', kind: 'meta', trust: 'untrusted', shows: true, calls: false }
const TO_PERSON: ReadonlySet<string> = new Set(['all', 'assistant'])

function partOf({ message, content, metadata, author }: Source, unknown: string[]): Part {
  const role = textOf(author.role) ?? ''
  if (content.kind === 'instructions') return { ...META, trust: content.type === 'user_editable_context' ? 'owner' : 'agent' }
  if (role === 'tool') return { role: 'tool', kind: 'tool_result', trust: 'untrusted', shows: false, calls: false }
  if (role === 'assistant') {
    const answer: Part = { role: 'assistant', kind: 'reply', trust: 'agent', shows: true, calls: false }
    if (!TO_PERSON.has(textOf(message.recipient) ?? 'all')) return { ...answer, shows: false, calls: true }
    if (content.kind === 'error') return { ...META, kind: 'notice' }
    if (content.kind === 'thinking' || message.channel === 'analysis') return { ...answer, shows: false }
    return isHidden(message, metadata) ? { ...META, trust: 'agent' } : answer
  }
  if (role === 'user' && content.kind !== 'error' && !isHidden(message, metadata)) {
    const empty = content.text === '' && content.blocks.length === 0 && attachmentsOf(metadata) === undefined
    return empty ? META : { role: 'user', kind: 'prompt', trust: 'owner', shows: true, calls: false }
  }
  if (role !== 'user' && role !== 'system') unknown.push(`author ${role}`)
  return META
}

function isHidden(message: Fields, metadata: Fields): boolean {
  return metadata.is_visually_hidden_from_conversation === true || message.weight === 0
}

/** Metadata only; the export stores the bytes elsewhere. */
function attachmentsOf({ attachments }: Fields): readonly unknown[] | undefined {
  if (!Array.isArray(attachments) || attachments.length === 0) return undefined
  return attachments.map((one) => withoutBinary(filled(fieldsOf(one) ?? { value: one }) ?? {}))
}

function callOf(message: Fields, content: Content, id: string): ToolCallPart {
  const language = textOf(fieldsOf(message.content)?.language)
  const params = isJsonObject(content.text)
    ? content.text
    : JSON.stringify({ ...(language === undefined || language === 'unknown' ? {} : { language }), text: content.text })
  return { id, name: textOf(message.recipient) ?? '', params }
}

function isJsonObject(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return false
  try {
    parseJson(text)
    return true
  } catch {
    return false
  }
}

function resultsOf({ message, content, metadata, author }: Source, findCall: FindCall): MessageRecord['toolResults'] {
  const callId = findCall(textOf(author.name))
  if (callId === undefined) return undefined
  const run = fieldsOf(metadata.aggregate_result)
  const status = textOf(run?.status)
  const isError = content.kind === 'error' || status?.includes('error') === true
  const result = JSON.stringify({ content_type: content.type, content: outputOf(message.content) })
  const [started, ended] = [parseTimestamp(run?.start_time), parseTimestamp(run?.end_time)]
  return [{ callId, result, isError, ...given({ startedAt: started, completedAt: ended }) }]
}

function outputOf(value: unknown): unknown {
  const { content_type: _, ...fields } = fieldsOf(value) ?? {}
  const { parts, text } = fields
  if (Array.isArray(parts)) return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : withoutBinary(parts)
  return typeof text === 'string' && Object.keys(fields).length === 1 ? text : withoutBinary(fields)
}

function blocksOf({ type, text, blocks }: Content, calls: readonly ToolCallPart[], { shows, role }: Part): readonly unknown[] {
  if (calls.length > 0) return [...calls.map((call) => ({ type: 'tool_use', id: call.id })), ...(blocks.length < 2 ? [] : blocks)]
  return shows || text === '' ? blocks : [...blocks, { type: role === 'assistant' ? 'thinking' : type, text }]
}

/** Fields stored elsewhere, implied by the tree, or internal to the service. */
const OWN_PLACE: ReadonlySet<string> = new Set(
  'attachments model_slug parent_id timestamp_ message_type can_save is_complete serialization_metadata'.split(' '),
)
/** A second copy of the custom instructions. */
const OF_INSTRUCTIONS: ReadonlySet<string> = new Set([...OWN_PLACE, 'user_context_message_data'])

function envelope(message: Fields, author: Fields): Fields {
  const { status, end_turn, weight, recipient, channel, update_time } = message
  return {
    author: textOf(author.name),
    author_metadata: filled(fieldsOf(author.metadata) ?? {}),
    status: status === 'finished_successfully' ? undefined : status,
    end_turn,
    weight: weight === 1 ? undefined : weight,
    recipient: recipient === 'all' ? undefined : recipient,
    channel,
    update_time,
  }
}
