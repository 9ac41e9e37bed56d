/** Never invents text. */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { MessageRecord } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, isFields, numberOf, textOf } from '../fields.ts'
import { ATTACHED, attachedTo, pruned } from './attached.ts'
import { textHash } from './names.ts'
import { listOf, parsedJson } from './row-value.ts'
import { type BubbleTool, bubbleTool } from './tool-call.ts'

export interface BubbleContext {
  readonly session: string
  readonly id: string
  readonly parent: string | undefined
  /** The parent agent writes a subagent's prompts. */
  readonly subagent: boolean
  readonly header: Fields | undefined
  readonly request: Fields | undefined
  /** Fallback time. */
  readonly before: number | undefined
  readonly alias: (role: string, text: string) => string
}

const ROLES: ReadonlyMap<unknown, 'user' | 'assistant'> = new Map<unknown, 'user' | 'assistant'>([
  [1, 'user'],
  [2, 'assistant'],
  ['user', 'user'],
  ['ai', 'assistant'],
  ['assistant', 'assistant'],
])

/** Stored elsewhere, or window and encrypted server state. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['type', 'bubbleId', 'id', 'text', 'rawText', 'richText', 'initText', 'delegate', 'createdAt', 'timingInfo', '_v'],
  ...['thinking', 'allThinkingBlocks', 'toolFormerData', 'codeBlocks', 'checkpointId', 'tokenCount', 'modelInfo', 'modelType'],
  ...['isAgentic', 'isPlanExecution', 'supportedTools', 'isFocused', 'contentHeightHint', 'conversationState', 'encryptedState'],
])

export function bubbleMessage(bubble: Fields, at: BubbleContext): MessageRecord | undefined {
  const role = ROLES.get(bubble.type) ?? ROLES.get(at.header?.type)
  if (role === undefined) return undefined
  const text = textOf(bubble.text) ?? textOf(bubble.rawText) ?? richText(bubble.richText) ?? ''
  const data = fieldsOf(bubble.toolFormerData)
  const tool = data === undefined ? undefined : bubbleTool(data, at.id)
  const thoughts = thoughtsOf(bubble)
  const time = timeOf(bubble, at.header)
  const named = text.trim() !== '' && tool === undefined
  const blocks = blocksOf(text, thoughts, tool)
  return given({
    type: 'message' as const,
    session: at.session,
    id: at.id,
    aliases: named ? [at.alias(role, text)] : undefined,
    replaces: true,
    hash: named ? textHash(role, text) : shortHash(16, role, '\n', text, '\n', JSON.stringify([thoughts, tool ?? data])),
    parent: at.parent,
    role,
    kind: role === 'user' ? ('prompt' as const) : ('reply' as const),
    text,
    timestamp: time ?? at.before,
    speaker: role === 'user' && at.subagent ? 'agent' : undefined,
    trust: role === 'user' && !at.subagent ? ('owner' as const) : ('agent' as const),
    model: modelOf(bubble),
    blocks: blocks.length > 0 ? blocks : undefined,
    metadata: metadataOf(bubble, { text, tool, data, inferred: time === undefined && at.before !== undefined }),
    checkpointId: textOf(bubble.checkpointId),
    isAgentic: typeof bubble.isAgentic === 'boolean' ? bubble.isAgentic : undefined,
    isPlanExecution: bubble.isPlanExecution === true || undefined,
    ...attachedTo(bubble, at.request),
    toolCalls: tool === undefined ? undefined : [tool.call],
    toolResults: tool?.result === undefined ? undefined : [tool.result],
  })
}

export function timeOf(bubble: Fields, header: Fields | undefined): number | undefined {
  const timing = fieldsOf(bubble.timingInfo)
  const named = [bubble.createdAt, timing?.clientStartTime, timing?.clientRpcSendTime, header?.createdAt]
  return named.map(parseTimestamp).find((time) => time !== undefined)
}

function modelOf(bubble: Fields): string | undefined {
  return textOf(fieldsOf(bubble.modelInfo)?.modelName) ?? textOf(bubble.modelType)
}

function thoughtsOf(bubble: Fields): Fields[] {
  const list = [bubble.thinking, ...listOf(bubble.allThinkingBlocks)]
  return list.flatMap((thought) => {
    if (typeof thought === 'string') return thought === '' ? [] : [{ type: 'thinking', thinking: thought }]
    if (!isFields(thought)) return []
    const { text, thinking, ...rest } = thought
    const said = textOf(text) ?? textOf(thinking)
    const more = filled(withoutBinary(rest) as Fields)
    return said === undefined && more === undefined ? [] : [{ type: 'thinking', thinking: said ?? '', ...more }]
  })
}

function blocksOf(text: string, thoughts: readonly Fields[], tool: BubbleTool | undefined): unknown[] {
  if (thoughts.length === 0 && tool === undefined) return []
  const spoken = text === '' ? [] : [{ type: 'text', length: text.length }]
  return [...thoughts, ...spoken, ...(tool === undefined ? [] : [{ type: 'tool_use', id: tool.call.id }])]
}

interface Said {
  readonly text: string
  readonly tool: BubbleTool | undefined
  readonly data: Fields | undefined
  readonly inferred: boolean
}

function metadataOf(bubble: Fields, { text, tool, data, inferred }: Said): Fields | undefined {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(bubble)) {
    if (!ELSEWHERE.has(key) && !ATTACHED.has(key) && value !== false) kept[key] = value
  }
  kept.usage = usageOf(bubble)
  kept.code_blocks = codeBlocks(bubble.codeBlocks, text)
  kept.tool = tool === undefined ? data : tool.metadata
  kept.time_from = inferred ? 'before' : undefined
  return fieldsOf(pruned(withoutBinary(kept), 0))
}

function usageOf(bubble: Fields): Fields | undefined {
  const count = fieldsOf(bubble.tokenCount)
  const input = numberOf(count?.inputTokens)
  const output = numberOf(count?.outputTokens)
  return (input ?? 0) + (output ?? 0) === 0 ? undefined : given({ input_tokens: input, output_tokens: output })
}

function codeBlocks(value: unknown, text: string): unknown {
  return listOf(value).map((block) => {
    if (!isFields(block) || typeof block.content !== 'string' || !text.includes(block.content.trim())) return block
    const { content: _, ...rest } = block
    return rest
  })
}

/** Guards the stack against malicious nesting. */
const DEPTH = 50

/** Fallback: text from the editor state (Lexical JSON). */
function richText(value: unknown): string | undefined {
  const given = textOf(value)
  if (given === undefined) return undefined
  const root = fieldsOf(fieldsOf(parsedJson(given))?.root)
  if (root === undefined) return given.trimStart().startsWith('{') ? undefined : given
  return textOf(
    listOf(root.children)
      .map((block) => nodeText(block, 0))
      .join('\n'),
  )
}

function nodeText(node: unknown, depth: number): string {
  const fields = fieldsOf(node)
  if (fields === undefined || depth > DEPTH) return ''
  if (fields.type === 'linebreak') return '\n'
  const own = textOf(fields.text) ?? textOf(fields.mentionName)
  if (own !== undefined) return own
  const inner = listOf(fields.children).map((child) => nodeText(child, depth + 1))
  return inner.join(fields.type === 'list' ? '\n' : '')
}
