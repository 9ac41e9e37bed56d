import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import type { MessageRecord, ToolCallPart, ToolResultPart } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, filled, isFields } from '../fields.ts'
import { contentParts, type Part, type ResultBlock } from './content-parts.ts'
import { textHash, textNames } from './names.ts'

export interface RawMessage {
  readonly role: string
  readonly content: unknown
  readonly id?: string | undefined
  readonly timestamp?: number | undefined
  readonly model?: string | undefined
  readonly metadata?: Fields | undefined
}

export interface ConvertedMessage {
  readonly messages: readonly MessageRecord[]
  readonly unknown: readonly string[]
}

export type Conversation = (raw: RawMessage) => ConvertedMessage | undefined

export interface ConversationOf {
  readonly session: string
  readonly subagent: boolean
  /** Unique name scope: the session, unless that is only a file name. */
  readonly scope: string
}

export function conversation({ session, subagent, scope }: ConversationOf): Conversation {
  const alias = textNames(scope)
  const open: string[] = []
  let anchor = `${scope}/begin`
  let nameless = 0

  function named(said: Said, raw: RawMessage, suffix: string): MessageRecord {
    const { role, text } = said
    const speech = (said.kind === 'prompt' || said.kind === 'reply') && text.trim() !== ''
    const name = speech ? alias(role, text) : undefined
    const id = raw.id === undefined ? (name ?? `${anchor}+${nameless++}`) : `${scope}/${raw.id}${suffix}`
    if (speech) {
      anchor = id
      nameless = 0
    }
    const calls = said.calls?.map(({ id: given, ...call }, n) => ({ ...call, id: given ?? `${id}#${n}` }))
    if (calls !== undefined) open.push(...calls.map((call) => call.id))
    const owner = subagent ? ('agent' as const) : ('owner' as const)
    return given({
      type: 'message' as const,
      session,
      id,
      aliases: name === undefined ? undefined : [name],
      hash: speech ? textHash(role, text) : shortHash(16, role, '\n', text, '\n', JSON.stringify([said.blocks, calls, said.results])),
      role,
      kind: said.kind,
      text,
      timestamp: raw.timestamp,
      speaker: role === 'user' && subagent ? 'agent' : undefined,
      trust: role === 'user' ? owner : role === 'assistant' ? ('agent' as const) : ('untrusted' as const),
      model: role === 'assistant' ? raw.model : undefined,
      blocks: said.blocks?.map((block) => (isCallAt(block) ? { type: 'tool_use', id: calls?.[block.callAt]?.id, ...block.more } : block)),
      metadata: filled({ ...raw.metadata, ...said.metadata }),
      toolCalls: calls,
      toolResults: said.results,
    })
  }

  return (raw) => {
    const parts = contentParts(raw.content)
    const said = parts === undefined ? undefined : saidOf(raw.role, parts, (block) => answer(block, open))
    if (parts === undefined || said === undefined) return undefined
    const unknown = parts.flatMap((part) => (part.type === 'unknown' ? [part.name] : []))
    return { messages: said.map((one, n) => named(one, raw, n === 0 ? '' : `#${n}`)), unknown }
  }
}

interface Said {
  readonly role: MessageRecord['role']
  readonly kind: MessageRecord['kind']
  readonly text: string
  /** Ordered; calls by index. */
  readonly blocks?: readonly unknown[] | undefined
  readonly calls?: readonly (Omit<ToolCallPart, 'id'> & { readonly id: string | undefined })[] | undefined
  readonly results?: readonly ToolResultPart[] | undefined
  readonly metadata?: Fields | undefined
}

interface CallAt {
  readonly callAt: number
  readonly more: Fields | undefined
}

function isCallAt(block: unknown): block is CallAt {
  return isFields(block) && typeof block.callAt === 'number'
}

/** Results without a call id answer open calls in order. */
function answer({ callId, content, isError, more }: ResultBlock, open: string[]): ToolResultPart {
  const at = callId === undefined ? 0 : open.indexOf(callId)
  const [found] = open.splice(Math.max(at, 0), 1)
  const known = at >= 0 ? found : undefined
  // Old transcripts name a call only in its result.
  const id = known ?? found ?? callId ?? 'call'
  return { callId: id, result: JSON.stringify(given({ content, ...more, named: id === callId ? undefined : callId })), isError }
}

function saidOf(role: string, parts: readonly Part[], result: (block: ResultBlock) => ToolResultPart): Said[] | undefined {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const results = parts.flatMap((part) => (part.type === 'result' ? [result(part.result)] : []))
  const said: Said[] = []
  if (results.length > 0) said.push({ role: 'tool', kind: 'tool_result', text: '', results })
  const rest = parts.filter((part) => part.type !== 'result')
  if (role === 'user' && (rest.length > 0 || results.length === 0)) said.push(userSaid(texts, rest))
  else if (role === 'assistant') said.push(assistantSaid(texts, rest))
  else if (role === 'system' || role === 'developer') said.push({ role: 'system', kind: 'meta', text: texts.join('\n\n') })
  else if (role === 'tool' && rest.length > 0) said.push({ role: 'tool', kind: 'tool_result', text: texts.join('\n\n') })
  return said.length === 0 ? undefined : said
}

function userSaid(texts: readonly string[], parts: readonly Part[]): Said {
  const read = texts.map(userText)
  const queries = read.flatMap(({ query }) => (query === undefined || query === '' ? [] : [query]))
  const around = read.flatMap((one) => one.around)
  const others = parts.filter((part) => part.type === 'other' || part.type === 'unknown')
  const blocks = others.length > 0 ? others.map((part) => part.block) : undefined
  if (queries.length === 0 && around.length > 0) return { role: 'system', kind: 'meta', text: texts.join('\n\n'), blocks }
  const metadata = around.length > 0 ? { envelopes: around } : undefined
  return { role: 'user', kind: 'prompt', text: queries.join('\n\n'), blocks, metadata }
}

function assistantSaid(texts: readonly string[], parts: readonly Part[]): Said {
  const calls: { id: string | undefined; name: string; params: string }[] = []
  const blocks: unknown[] = []
  for (const part of parts) {
    if (part.type === 'text') blocks.push({ type: 'text', length: part.text.length })
    else if (part.type === 'call') {
      const { id, name, input } = part.call
      blocks.push({ callAt: calls.length, more: part.more } satisfies CallAt)
      calls.push({ id, name, params: JSON.stringify(withoutBinary(input)) })
    } else if (part.type === 'other' || part.type === 'unknown') blocks.push(part.block)
  }
  const plain = parts.every((part) => part.type === 'text')
  const text = texts.filter((one) => one !== '').join('\n\n')
  return { role: 'assistant', kind: 'reply', text, blocks: plain ? undefined : blocks, calls: calls.length > 0 ? calls : undefined }
}

interface UserText {
  readonly query: string | undefined
  readonly around: readonly string[]
}

const QUERY = /<user_query>([\s\S]*?)<\/user_query>/g
const CONTEXT = new RegExp(
  `^\\s*<(${[
    ...['user_info', 'rules', 'always_applied_workspace_rules', 'user_rules', 'agent_skills', 'agent_transcripts', 'project_layout'],
    ...['git_status', 'system_reminder', 'system_notification', 'attached_files', 'additional_data', 'current_file', 'image_files'],
    ...[
      'open_and_recently_viewed_files',
      'mcp_file_system',
      'mcp_instructions',
      'timestamp',
      'external_links',
      'terminal_files_information',
    ],
    ...['manually_attached_skills', 'available_skills', 'cursor_commands', 'linter_errors', 'recently_viewed_files', 'subagent_result'],
  ].join('|')})(?:\\s[^>]*)?>[\\s\\S]*?</\\1>\\s*`,
)

/** Extracts the typed text: queries have their own tag. */
function userText(text: string): UserText {
  const queries = [...text.matchAll(QUERY)].map((match) => (match[1] ?? '').trim())
  if (queries.length > 0) {
    const rest = text.replace(QUERY, '').trim()
    return { query: queries.join('\n\n'), around: rest === '' ? [] : [rest] }
  }
  const around: string[] = []
  let rest = text
  for (let match = CONTEXT.exec(rest); match !== null; match = CONTEXT.exec(rest)) {
    around.push(match[0].trim())
    rest = rest.slice(match[0].length)
  }
  if (around.length === 0) return { query: text, around }
  return { query: rest.trim() === '' ? undefined : rest.trim(), around }
}
