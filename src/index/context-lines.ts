/** The lines that are put before a chunk for embedding: when, who, what about, in which session. Never part of the chunk's own text. */
import { oneLine } from '../core/text.ts'
import { formatWithZone } from '../core/time.ts'
import { isOwner } from './chunk-document.ts'
import { cleanText, type IndexDocument } from './document.ts'
import { questionLine } from './question-head.ts'

export interface Owner {
  readonly name?: string | undefined
  readonly timezone: string
}

const LONGEST_TITLE = 120

/** Who takes part, as far as a document shows: `Jason Wu and Assistant (claude-…)`. */
export function participantsLine(document: IndexDocument, owner: Owner): string {
  const named = (role: 'user' | 'assistant') =>
    document.messages.filter((message) => message.role === role && message.named).map((message) => message.speaker)
  const users = named('user').map((name) => (isOwner(name, owner.name) ? (owner.name ?? name) : name))
  if (users.length === 0) users.push(owner.name ?? 'User')
  const assistants = named('assistant')
  if (assistants.length === 0) assistants.push('Assistant')
  const names = [...new Set([...users, ...assistants])]
  const last = `${names.pop()}${document.model === undefined ? '' : ` (${document.model})`}`
  return `[Participants: ${names.length === 0 ? last : `${names.join(', ')} and ${last}`}]`
}

/** The line of the session's title, redacted and on one line; empty without a title. */
export function titleLine(title: string | null): string {
  const clean = title === null ? '' : oneLine(cleanText(title), LONGEST_TITLE)
  return clean === '' ? '' : `[Context: ${clean}]`
}

export interface ContextParts {
  readonly timestamp: number
  readonly participants: string
  readonly topics: readonly string[]
  /** How the question began that the chunk answers. */
  readonly question?: string
  readonly title: string
}

export function contextLines({ timestamp, participants, topics, question = '', title }: ContextParts, timezone: string): string {
  const lines = [
    timestamp === 0 ? '' : `[Session from ${formatWithZone(timestamp, timezone)}]`,
    participants,
    topics.length === 0 ? '' : `[Topics: ${topics.map((topic) => topic.replaceAll('-', ' ')).join(', ')}]`,
    questionLine(question),
    title,
  ]
  return lines.filter((line) => line !== '').join('\n')
}

/** The same lines with another title. */
export function withTitle(context: string, title: string): string {
  const lines = context.split('\n').filter((line) => !line.startsWith('[Context: '))
  return (title === '' ? lines : [...lines, title]).join('\n')
}
