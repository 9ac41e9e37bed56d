/** Tells a person's `user` records from Gemini CLI's own. Pure. */
import { given } from '../../../core/given.ts'
import type { MessageRecord } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, isFields } from '../fields.ts'

export interface Content {
  readonly text: string
  /** Ordered: texts by length, the rest verbatim. */
  readonly blocks: readonly unknown[]
  readonly responses: readonly Fields[]
  readonly others: number
}

export function readContent(content: unknown): Content {
  const parts: readonly unknown[] = Array.isArray(content) ? content : content === undefined || content === null ? [] : [content]
  const texts: string[] = []
  const blocks: unknown[] = []
  const responses: Fields[] = []
  let others = 0
  for (const part of parts) {
    const text = textOfPart(part)
    if (text !== undefined) {
      texts.push(text)
      blocks.push({ type: 'text', length: text.length })
    } else if (isFields(part) && isFields(part.functionResponse)) {
      responses.push(part.functionResponse)
      blocks.push({ type: 'tool_result', id: part.functionResponse.id })
    } else {
      others += 1
      blocks.push(withoutBinary(part))
    }
  }
  // Joined without separator, as Gemini CLI does.
  return { text: texts.join(''), blocks, responses, others }
}

export function textOfPart(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  return isFields(part) && typeof part.text === 'string' && part.thought !== true ? part.text : undefined
}

export type Spoken = Pick<MessageRecord, 'role' | 'kind' | 'text' | 'trust'> &
  Partial<Pick<MessageRecord, 'speaker' | 'context' | 'blocks'>>

/** Header that Gemini CLI adds before `@` files. */
const REFERENCED = '--- Content from referenced files ---'
const HOOK = /\s*<hook_context>[\s\S]*<\/hook_context>\s*$/
const SUMMARY = /^\s*<state_snapshot>/
const INJECTED: readonly RegExp[] = [
  /^\s*<session_context>/,
  /^\s*This is the Gemini CLI\. We are setting up the context for our chat/,
  /^\s*<hook_context>[\s\S]*<\/hook_context>\s*$/,
  /^\s*<(?:system-reminder|system_reminder)>/,
  /^\s*System: Please continue\.?\s*$/,
]
const SHELL = /^I ran the following shell command:/
/** `/name` with at most one argument, so not a sentence. */
const COMMAND = /^\/[a-z][\w:-]*(?:\s+\S+)?\s*$/i

export interface Asked {
  readonly subagent: boolean
  readonly rewritten: boolean
}

export function classifyUserContent(message: Fields, { subagent, rewritten }: Asked): Spoken {
  const whole = readContent(message.content ?? message.parts)
  if (whole.responses.length > 0 && whole.text.trim() === '') {
    return { role: 'tool', kind: 'tool_result', text: '', trust: 'untrusted', blocks: whole.blocks }
  }
  const shown = message.displayContent === undefined ? undefined : readContent(message.displayContent)
  const { text, context } = typed(message.content ?? message.parts, whole.text, shown?.text)
  const blocks = whole.others > 0 ? { blocks: whole.blocks } : {}
  if (SUMMARY.test(text)) return { role: 'system', kind: 'summary', text, trust: 'agent' }
  if (rewritten || INJECTED.some((pattern) => pattern.test(text)))
    return { role: 'system', kind: 'meta', text, trust: 'untrusted', ...blocks }
  if (SHELL.test(text)) return { role: 'system', kind: 'command', text, trust: 'owner' }
  if (COMMAND.test(text.trim())) return { role: 'system', kind: 'command', text: text.trim(), trust: 'owner' }
  const who = subagent ? ({ trust: 'agent', speaker: 'agent' } as const) : ({ trust: 'owner' } as const)
  return { role: 'user', kind: 'prompt', text, ...who, ...blocks, ...given({ context }) }
}

function typed(content: unknown, whole: string, shown: string | undefined): { text: string; context?: unknown } {
  if (shown !== undefined && shown.trim() !== '') {
    return shown === whole ? { text: shown } : { text: shown, context: { sent: withoutBinary(content) } }
  }
  const at = whole.indexOf(REFERENCED)
  const hook = HOOK.exec(at === -1 ? whole : whole.slice(0, at))
  const end = hook?.index ?? (at === -1 ? whole.length : at)
  if (end === whole.length || end === 0) return { text: whole }
  const kept = Array.isArray(content) ? content.filter((part) => textOfPart(part) === undefined).map((part) => withoutBinary(part)) : []
  return {
    text: whole.slice(0, end).trimEnd(),
    context: { sent: whole.slice(end), ...given({ parts: kept.length === 0 ? undefined : kept }) },
  }
}
