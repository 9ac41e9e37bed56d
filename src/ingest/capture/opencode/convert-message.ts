/** Tells a person, the model and OpenCode apart. Pure. */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { MessageRecord } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, filledBut, textOf } from '../fields.ts'
import { withoutTimes } from '../tool-times.ts'
import { type Parts, readParts } from './read-parts.ts'

export interface NativeMessage {
  readonly id: string
  readonly data: Fields
  readonly parts: readonly Fields[]
}

export interface MessageContext {
  readonly session: string
  /** The parent agent writes a subagent's prompts. */
  readonly subagent: boolean
  readonly parent: string | undefined
  readonly directory: string | undefined
  readonly compactionOf: (message: string) => Fields | undefined
}

type Said = Pick<MessageRecord, 'role' | 'kind' | 'text' | 'trust'> & Partial<Pick<MessageRecord, 'speaker' | 'compaction'>>

export interface Converted {
  readonly record: MessageRecord
  readonly unknown: readonly string[]
  readonly compaction: Fields | undefined
}

export function convertMessage(message: NativeMessage, context: MessageContext): Converted | undefined {
  const { id, data } = message
  const parts = readParts(message.parts, message)
  const said =
    data.role === 'user' ? saidByUser(parts, context) : data.role === 'assistant' ? saidByAssistant(parts, data, context) : saidElse(data)
  if (said === undefined) return undefined
  const model = textOf(data.modelID) ?? textOf(fieldsOf(data.model)?.modelID) ?? textOf(fieldsOf(data.model)?.id)
  const timestamp = parseTimestamp(fieldsOf(data.time)?.created)
  const metadata = metadataOf(data, context.directory)
  const plain = parts.blocks.every((block) => fieldsOf(block)?.type === 'text' && Object.keys(block as object).length === 2)
  const body = {
    ...said,
    ...given({ model: data.role === 'assistant' ? model : undefined }),
    ...(plain ? {} : { blocks: parts.blocks }),
    ...given({ metadata }),
  }
  const tools = (calls: MessageRecord['toolCalls'] = [], results: MessageRecord['toolResults'] = []) => ({
    ...given({ toolCalls: calls.length === 0 ? undefined : calls, toolResults: results.length === 0 ? undefined : results }),
  })
  const provider = data.role === 'assistant' ? (textOf(data.providerID) ?? textOf(fieldsOf(data.model)?.providerID)) : undefined
  const record: MessageRecord = {
    type: 'message',
    session: context.session,
    id,
    replaces: true,
    hash: shortHash(16, JSON.stringify({ ...body, ...tools(withoutTimes(parts.calls), withoutTimes(parts.results)) })),
    ...given({ parent: context.parent, timestamp }),
    ...body,
    ...tools(parts.calls, parts.results),
    ...given({ provider }),
  }
  return { record, unknown: parts.unknown, compaction: parts.compaction }
}

function saidByUser(parts: Parts, { subagent }: MessageContext): Said {
  const text = parts.texts.join('\n\n')
  if (text.trim() !== '' || (parts.attached > 0 && parts.compaction === undefined && parts.subtask === undefined)) {
    const who = subagent ? ({ trust: 'agent', speaker: 'agent' } as const) : ({ trust: 'owner' } as const)
    return { role: 'user', kind: 'prompt', text, ...who }
  }
  if (parts.subtask !== undefined) {
    const command = textOf(parts.subtask.command)
    const words = command === undefined ? (textOf(parts.subtask.description) ?? '') : `/${command}`
    return { role: 'system', kind: 'command', text: words, trust: subagent ? 'agent' : 'owner' }
  }
  if (parts.compaction !== undefined) return { role: 'system', kind: 'notice', text: '', trust: 'agent' }
  return { role: 'system', kind: 'meta', text: parts.injected.join('\n\n'), trust: 'untrusted' }
}

function saidByAssistant(parts: Parts, data: Fields, { compactionOf }: MessageContext): Said {
  const text = parts.texts.join('\n\n')
  if (data.summary === true || data.mode === 'compaction' || data.agent === 'compaction') {
    const asked = compactionOf(textOf(data.parentID) ?? '')
    const tokens = fieldsOf(data.tokens)?.input
    const trigger = asked === undefined ? textOf(data.reason) : asked.auto === true ? 'auto' : 'manual'
    return {
      role: 'system',
      kind: 'summary',
      text,
      trust: 'agent',
      compaction: {
        ...given({ trigger, tokensBefore: typeof tokens === 'number' && tokens > 0 ? tokens : undefined }),
      },
    }
  }
  const error = fieldsOf(data.error)
  if (error !== undefined && text === '' && parts.calls.length === 0) {
    const words = textOf(fieldsOf(error.data)?.message) ?? textOf(error.message) ?? textOf(error.name) ?? ''
    return { role: 'system', kind: 'notice', text: words, trust: 'agent' }
  }
  return { role: 'assistant', kind: 'reply', text, trust: 'agent' }
}

/** Other records of the second storage format: see v2-message.ts. */
function saidElse({ role, text }: Fields): Said | undefined {
  const words = textOf(text) ?? ''
  if (role === 'notice') return { role: 'system', kind: 'notice', text: words, trust: 'agent' }
  if (role === 'shell') return { role: 'system', kind: 'command', text: words, trust: 'owner' }
  return undefined
}

const OF_MESSAGE: ReadonlySet<string> = new Set(
  'id sessionID role text time parentID model modelID providerID variant tokens cost summary path'.split(' '),
)

function metadataOf(data: Fields, directory: string | undefined): Fields | undefined {
  const model = fieldsOf(data.model)
  const path = fieldsOf(data.path)
  const elsewhere = path !== undefined && path.cwd !== directory
  return filled({
    ...filledBut(fieldsOf(withoutBinary(data)) ?? {}, OF_MESSAGE),
    provider: data.providerID ?? model?.providerID,
    variant: data.variant ?? model?.variant,
    // The requested model; the column holds the actual one.
    asked_model: data.role === 'user' ? model?.modelID : undefined,
    usage: fieldsOf(data.tokens),
    cost: fieldsOf(data.cost) ?? (data.cost === 0 ? undefined : data.cost),
    completed: fieldsOf(data.time)?.completed,
    summary: summaryOf(data.summary),
    path: elsewhere ? path : undefined,
  })
}

function summaryOf(summary: unknown): Fields | undefined {
  const fields = fieldsOf(summary)
  if (fields === undefined) return undefined
  const diffs = Array.isArray(fields.diffs) ? fields.diffs : []
  const files = diffs.map((diff) => {
    const { file, additions, deletions, status } = fieldsOf(diff) ?? {}
    return filled({ file, additions, deletions, status }) ?? {}
  })
  return filled({ title: fields.title, body: fields.body, files })
}
