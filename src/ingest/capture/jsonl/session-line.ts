import { parseTimestamp } from '../../../core/time.ts'
import type { MessageRecord } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, filled, isFields, textOf } from '../fields.ts'

export interface SessionLine {
  readonly role: MessageRecord['role']
  readonly text: string
  readonly timestamp: number
  readonly id?: string
  readonly session?: string
  readonly speaker?: string
  readonly model?: string
  readonly blocks?: readonly unknown[]
  readonly metadata?: Readonly<Record<string, unknown>>
}

const ROLES: Readonly<Record<string, MessageRecord['role']>> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  system: 'system',
  tool: 'tool',
}

export function sessionLine(value: unknown): { line: SessionLine } | { problems: string[] } {
  if (!isFields(value)) return { problems: ['not a JSON object'] }
  const role = roleOf(value.role)
  const content = contentOf(value.content)
  const timestamp = parseTimestamp(value.timestamp)
  const problems = [
    ...missing(value),
    ...(role === undefined && value.role !== undefined ? ['role is none of user, assistant, system, tool'] : []),
    ...(content === undefined && value.content !== undefined ? ['content is neither a string nor a list of blocks'] : []),
    ...(timestamp === undefined && value.timestamp !== undefined ? ['timestamp is not a time (ISO 8601, or seconds or milliseconds)'] : []),
  ]
  if (problems.length > 0 || role === undefined || content === undefined || timestamp === undefined) return { problems }
  return { line: { role, timestamp, ...content, ...names(value) } }
}

export function looksLikeSessionLine(value: unknown): boolean {
  return isFields(value) && roleOf(value.role) !== undefined && 'content' in value
}

function roleOf(role: unknown): MessageRecord['role'] | undefined {
  const name = typeof role === 'string' ? role.toLowerCase() : ''
  return Object.hasOwn(ROLES, name) ? ROLES[name] : undefined
}

function missing(value: Fields): string[] {
  return ['role', 'content', 'timestamp'].filter((key) => value[key] === undefined || value[key] === null).map((key) => `${key} is missing`)
}

function contentOf(content: unknown): { text: string; blocks?: readonly unknown[] } | undefined {
  if (typeof content === 'string') return { text: content }
  if (!Array.isArray(content)) return undefined
  const texts: string[] = []
  const blocks = content.map((block: unknown) => {
    const text = typeof block === 'string' ? block : isFields(block) && block.type === 'text' ? textOf(block.text) : undefined
    if (text === undefined) return withoutBinary(block)
    texts.push(text)
    return { type: 'text', length: text.length }
  })
  const text = texts.join('\n\n')
  return texts.length === blocks.length ? { text } : { text, blocks }
}

function names(value: Fields): Omit<SessionLine, 'role' | 'text' | 'timestamp'> {
  const { role: _role, content: _content, timestamp: _timestamp, id, session_id, speaker, model, ...rest } = value
  const metadata = filled(withoutBinary(rest) as Fields)
  const all = { id: nameOf(id), session: nameOf(session_id), speaker: textOf(speaker), model: textOf(model), metadata }
  return Object.fromEntries(Object.entries(all).filter(([, entry]) => entry !== undefined))
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : textOf(value)
}
