import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import type { ToolResultPart } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, filledBut, textOf } from '../fields.ts'
import { answeredCall, callName } from './call-names.ts'
import { type Content, plainText, readContent } from './content.ts'
import { pushFacts, pushMessage } from './emit.ts'
import type { Entry } from './entry.ts'
import type { Reading } from './read-state.ts'

export function messageEntry(reading: Reading, entry: Entry): string | undefined {
  const message = fieldsOf(entry.fields.message)
  const role = textOf(message?.role)
  if (message === undefined || role === undefined) return 'a message without a role'
  if (role === 'user') return userMessage(reading, entry, message)
  if (role === 'assistant') return assistantMessage(reading, entry, message)
  if (role === 'toolResult' || role === 'tool') return toolResult(reading, entry, message)
  if (role === 'bashExecution') shellCommand(reading, entry, message)
  else if (role === 'custom' || role === 'hookMessage') injected(reading, entry, message)
  else if (role === 'branchSummary' || role === 'compactionSummary') summary(reading, entry, { said: message, of: role })
  else {
    if (role !== 'system' && role !== 'developer') reading.items.push({ type: 'unknown', name: `message:${role}` })
    const text = plainText(message.content)
    pushMessage(reading, entry, { role: 'system', kind: 'notice', text, trust: 'agent', metadata: extras(message, OF_NOTE) })
  }
  return undefined
}

const OF_USER: ReadonlySet<string> = new Set(['role', 'content', 'timestamp'])
const OF_NOTE = OF_USER

function userMessage(reading: Reading, entry: Entry, message: Fields): string | undefined {
  const content = readContent(message.content, entry.id)
  if (content === undefined) return 'a message without content'
  const { texts, others, calls, blocks } = content
  const spoken = reading.dialect.user({ message, texts, others, calls: calls.length, repeats: () => false })
  const kept = others === 0 && texts.length === 1 ? undefined : blocks
  pushMessage(reading, entry, { ...spoken, blocks: kept, metadata: { ...extras(message, OF_USER), ...spoken.metadata } })
  return undefined
}

const OF_ANSWER: ReadonlySet<string> = new Set([
  ...['role', 'content', 'timestamp', 'model', 'provider', 'api', 'usage'],
  ...['stopReason', 'errorMessage', 'responseId'],
])

function assistantMessage(reading: Reading, entry: Entry, message: Fields): string | undefined {
  const content = readContent(message.content, entry.id, (given) => callName(reading.state, entry, given))
  if (content === undefined && textOf(message.errorMessage) === undefined) return 'a message without content'
  const { texts, blocks, calls, others } = content ?? NOTHING
  const text = texts.join('\n\n')
  const named = textOf(message.model)
  const model = named !== undefined && reading.dialect.noModels?.has(named) ? undefined : named
  const metadata = { ...answerFacts(reading, message), ...(model === named ? {} : { model: named }) }
  const failed = textOf(message.errorMessage)
  if (failed !== undefined && text === '' && calls.length === 0) {
    const kept = blocks.length === 0 ? undefined : blocks
    pushMessage(reading, entry, { role: 'system', kind: 'notice', text: failed, trust: 'agent', model, metadata, blocks: kept })
    return undefined
  }
  const { said } = reading.state
  const repeats = (words: string) => said.includes(shortHash(16, words.trim()))
  const spoken = reading.dialect.assistant({ message, texts, others, calls: calls.length, repeats })
  const answer = spoken ?? ({ role: 'assistant', kind: 'reply', text, trust: 'agent' } as const)
  if (answer.text.trim() !== '') said.push(shortHash(16, answer.text.trim()))
  pushMessage(reading, entry, {
    ...answer,
    model,
    // Gateway text has no provider.
    provider: named !== undefined && model === named ? providerOf(reading, message) : undefined,
    blocks,
    toolCalls: calls,
    metadata: { ...metadata, ...given({ error: failed }), ...answer.metadata },
  })
  return undefined
}

const NOTHING: Content = { texts: [], blocks: [], calls: [], others: 0 }

function providerOf({ state }: Reading, message: Fields): string | undefined {
  return textOf(message.provider) ?? textOf((state.opened ? state.told : state.waiting.context).provider)
}

function answerFacts(reading: Reading, message: Fields): Fields {
  const { provider, api, usage, stopReason, responseId } = message
  const { told, waiting, opened } = reading.state
  // Stored once per session; on a message only if different.
  const known = opened ? told : waiting.context
  const first = Object.fromEntries(Object.entries({ provider, api }).filter(([key, value]) => textOf(value) && known[key] === undefined))
  if (Object.keys(first).length > 0) pushFacts(reading, { context: first })
  const different = Object.fromEntries(Object.entries({ provider, api }).filter(([key, value]) => value !== (known[key] ?? first[key])))
  return { ...different, stop_reason: stopReason, usage: usageOf(usage), response_id: responseId, ...extras(message, OF_ANSWER) }
}

const USAGE: Readonly<Record<string, string>> = {
  input: 'input_tokens',
  output: 'output_tokens',
  cacheRead: 'cache_read_input_tokens',
  cacheWrite: 'cache_creation_input_tokens',
  totalTokens: 'total_tokens',
}

function usageOf(usage: unknown): Fields | undefined {
  const fields = fieldsOf(usage)
  if (fields === undefined) return undefined
  const numbers: Record<string, number> = {}
  for (const [key, value] of Object.entries(fields)) if (typeof value === 'number' && value !== 0) numbers[USAGE[key] ?? key] = value
  const price = fieldsOf(fields.cost)?.total
  if (typeof price === 'number' && price !== 0) numbers.cost_usd = price
  return filled(numbers)
}

const OF_RESULT: ReadonlySet<string> = new Set(['role', 'content', 'timestamp', 'toolCallId', 'toolName', 'details', 'isError'])

function toolResult(reading: Reading, entry: Entry, message: Fields): string | undefined {
  const named = textOf(message.toolCallId)
  const callId = named === undefined ? `${entry.id}#0` : answeredCall(reading.state, entry, named)
  const details = fieldsOf(message.details)
  const child = details === undefined ? undefined : reading.dialect.childOf?.(details)
  const result: ToolResultPart = {
    callId,
    result: JSON.stringify({
      content: withoutBinary(message.content ?? ''),
      details: message.details === undefined ? undefined : withoutBinary(details === undefined ? message.details : filled(details)),
      toolName: textOf(message.toolName),
    }),
    isError: message.isError === true,
    ...given({ childSession: child }),
  }
  const metadata = extras(message, OF_RESULT)
  pushMessage(reading, entry, { role: 'tool', kind: 'tool_result', text: '', trust: 'untrusted', toolResults: [result], metadata })
  return undefined
}

const OF_SHELL: ReadonlySet<string> = new Set(['role', 'command', 'timestamp'])

/** A person's shell command is not speech; its output is untrusted. */
function shellCommand(reading: Reading, entry: Entry, message: Fields): void {
  const text = `! ${textOf(message.command) ?? ''}`
  pushMessage(reading, entry, { role: 'system', kind: 'command', text, trust: 'owner', metadata: extras(message, OF_SHELL) })
}

const OF_CUSTOM: ReadonlySet<string> = new Set(['role', 'content', 'timestamp', 'type', 'id', 'parentId', 'customType'])

/** Added by an extension, not typed. */
export function injected(reading: Reading, entry: Entry, said: Fields): void {
  const content = readContent(said.content, entry.id)
  const metadata = { custom_type: said.customType, ...extras(said, OF_CUSTOM) }
  const blocks = content !== undefined && content.others > 0 ? content.blocks : undefined
  const text = content?.texts.join('\n\n') ?? ''
  pushMessage(reading, entry, { role: 'system', kind: 'meta', text, trust: 'untrusted', metadata, blocks })
}

const OF_SUMMARY: ReadonlySet<string> = new Set(['role', 'summary', 'timestamp', 'type', 'id', 'parentId', 'tokensBefore'])

export function summary(reading: Reading, entry: Entry, { said, of }: { said: Fields; of: string }): void {
  const branch = of.startsWith('branch')
  const { tokensBefore } = said
  pushMessage(reading, entry, {
    role: 'system',
    kind: 'summary',
    text: textOf(said.summary) ?? plainText(said.content),
    trust: 'agent',
    compaction: {
      trigger: branch ? 'branch' : said.fromHook === true ? 'extension' : 'compaction',
      ...given({ tokensBefore: typeof tokensBefore === 'number' ? tokensBefore : undefined }),
      metadata: extras(said, OF_SUMMARY),
    },
  })
}

function extras(fields: Fields, known: ReadonlySet<string>): Fields | undefined {
  return withoutBinary(filledBut(fields, known)) as Fields | undefined
}
