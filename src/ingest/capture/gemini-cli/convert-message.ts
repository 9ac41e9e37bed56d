import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { MessageRecord } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, filledBut, isFields, textOf } from '../fields.ts'
import { withoutTimes } from '../tool-times.ts'
import { type Asked, classifyUserContent, readContent, type Spoken } from './content.ts'
import { readToolCalls, responseResult } from './tool-calls.ts'

export interface MessageContext extends Asked {
  readonly session: string
  readonly id: string
  readonly parent: string | undefined
}

type MessageBody = Spoken & Partial<Pick<MessageRecord, 'model' | 'metadata' | 'toolCalls' | 'toolResults' | 'compaction'>>

const OF_MESSAGE: ReadonlySet<string> = new Set('id timestamp type content parts displayContent toolCalls thoughts tokens model'.split(' '))
const ANSWERS: ReadonlySet<unknown> = new Set(['gemini', 'model'])
const NOTICES: ReadonlySet<unknown> = new Set(['info', 'warning', 'error'])

export function convertMessage(message: Fields, context: MessageContext): MessageRecord | undefined {
  const said = bodyOf(message, context)
  if (said === undefined) return undefined
  const metadata = filled({ ...filledBut(fieldsOf(withoutBinary(message)) ?? {}, OF_MESSAGE), ...said.metadata })
  const { metadata: _, ...rest } = said
  const body = { ...rest, ...given({ metadata }) }
  const timestamp = parseTimestamp(message.timestamp)
  return {
    type: 'message',
    session: context.session,
    id: context.id,
    replaces: true,
    hash: shortHash(16, JSON.stringify(hashed(body))),
    ...given({ parent: context.parent, timestamp }),
    ...body,
  }
}

/** Key order must not change: stored hashes depend on it. */
function hashed({ toolCalls, toolResults, ...body }: MessageBody): unknown {
  const { metadata, ...rest } = body
  return {
    ...rest,
    ...(toolCalls === undefined ? {} : { toolCalls: withoutTimes(toolCalls) }),
    ...(toolResults === undefined ? {} : { toolResults: withoutTimes(toolResults) }),
    ...given({ metadata }),
  }
}

function bodyOf(message: Fields, context: MessageContext): MessageBody | undefined {
  const { type } = message
  if (type === 'user') return userBody(message, context)
  if (ANSWERS.has(type)) return answerBody(message, context)
  if (!NOTICES.has(type)) return undefined
  const { text, blocks, others } = readContent(message.content ?? message.parts)
  return {
    role: 'system',
    kind: 'notice',
    text,
    trust: 'agent',
    metadata: { level: type },
    ...given({ blocks: others > 0 ? blocks : undefined }),
  }
}

function userBody(message: Fields, context: MessageContext): MessageBody {
  const spoken = classifyUserContent(message, context)
  if (spoken.kind === 'summary') return { ...spoken, compaction: {} }
  if (spoken.kind !== 'tool_result' || context.rewritten) return spoken
  const { responses } = readContent(message.content ?? message.parts)
  return { ...spoken, toolResults: responses.map((response, index) => responseResult(response, `${context.id}#${index}`)) }
}

function answerBody(message: Fields, context: MessageContext): MessageBody {
  const content = readContent(message.content ?? message.parts)
  const tools = readToolCalls(message.toolCalls, context.id)
  const thoughts = (Array.isArray(message.thoughts) ? message.thoughts : [])
    .filter(isFields)
    .map((thought) => ({ type: 'thought', ...thought }))
  const blocks = [...thoughts, ...content.blocks.filter((block) => !isEmptyText(block)), ...tools.blocks]
  const plain = blocks.length === 0 || (content.others === 0 && thoughts.length + tools.blocks.length === 0)
  const model = textOf(message.model)
  const usage = fieldsOf(message.tokens)
  // Text that Gemini CLI wrote in the model's name is no answer.
  const who = context.rewritten
    ? ({ role: 'system', kind: 'meta', trust: 'untrusted' } as const)
    : ({ role: 'assistant', kind: 'reply', trust: 'agent' } as const)
  return {
    ...who,
    text: content.text,
    ...(plain ? {} : { blocks }),
    ...given({ model }),
    ...(usage === undefined ? {} : { metadata: { usage } }),
    ...given({
      toolCalls: tools.calls.length === 0 ? undefined : tools.calls,
      toolResults: tools.results.length === 0 ? undefined : tools.results,
    }),
  }
}

function isEmptyText(block: unknown): boolean {
  return isFields(block) && block.type === 'text' && block.length === 0
}
