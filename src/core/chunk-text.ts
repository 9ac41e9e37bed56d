/** Composes the text of a chunk for storing, showing and embedding. The view `session_chunks` must compose the same in SQL. */
import { redactSensitiveText } from './redact.ts'
import { formatWithZone } from './time.ts'

export interface SaidInChunk {
  readonly said_user: string
  readonly said_assistant: string
  /** Role or name; empty if the text starts with a name. */
  readonly user_label: string
  readonly assistant_label: string
}

/** Shown and hashed. */
export function chunkContent({ said_user, said_assistant, user_label, assistant_label }: SaidInChunk): string {
  const user = said_user && user_label + said_user
  const assistant = said_assistant && assistant_label + said_assistant
  return user === '' || assistant === '' ? user + assistant : `${user}\n${assistant}`
}

/**
 * Context, empty line, content. Names and titles are redacted here, content when it is indexed. A meeting omits its time, so a series
 * shares one vector.
 */
export function embeddedText({ context, content }: { readonly context: string; readonly content: string }): string {
  const isMeeting = context.startsWith(`[${OPENING.episode} `) && content.startsWith('Meeting: ')
  const about = isMeeting ? context.replace(/^.*\n?/, '') : context
  const said = isMeeting ? content.replace(/\nWhen: .*/, '') : content
  return `${redactSensitiveText(about, { mode: 'tools' })}\n\n${said}`
}

export interface ContextParts {
  readonly of: 'session' | 'document' | 'episode'
  /** 0 if unknown. */
  readonly timestamp: number
  readonly participants: readonly string[]
  readonly topics: readonly string[]
  readonly question: string
  /** Content behind a short answer: the chosen option or the accepted question. */
  readonly answers: string
  readonly title: string
}

export function chunkContext({ of, timestamp, participants, topics, question, answers, title }: ContextParts, timezone: string): string {
  const lines = [
    timestamp === 0 ? '' : `[${OPENING[of]} ${formatWithZone(timestamp, timezone)}]`,
    participants.length === 0 ? '' : `[Participants: ${listed(participants)}]`,
    topics.length === 0 ? '' : `[Topics: ${topics.map((topic) => topic.replaceAll('-', ' ')).join(', ')}]`,
    questionLine(question),
    answersLine(answers),
    title,
  ]
  return lines.filter((line) => line !== '').join('\n')
}

const OPENING = { session: 'Session from', document: 'Document of', episode: 'Conversation of' } as const

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

export function titleLine(title: string): string {
  return title === '' ? '' : `[Context: ${title}]`
}

export function withTitle(context: string, title: string): string {
  const lines = context.split('\n').filter((line) => !line.startsWith('[Context: '))
  return (title === '' ? lines : [...lines, title]).join('\n')
}

export function questionLine(head: string): string {
  return head === '' ? '' : `[Question: ${head}]`
}

export function questionIn(context: string): string | undefined {
  return /^\[Question: (.*)\]$/m.exec(context)?.[1]
}

export function answersLine(words: string): string {
  return words === '' ? '' : `[Answers: ${words}]`
}

export function answersIn(context: string): string | undefined {
  return /^\[Answers: (.*)\]$/m.exec(context)?.[1]
}

const SUMMARY_LABEL = 'Summary: '
const CONTINUED = 'This session is being continued from a previous conversation'

/** Instructions that harnesses put around a summary for the next model. */
const FRAME =
  /This session is being continued from a previous conversation[^\n]*(?:\n|$)|(?:The (?:summary below|conversation is summarized)[^\n.:]*[.:]|If you need specific details from before compaction\b[^\n]*|(?:Please )?continue the conversation from where (?:we|it) left (?:it )?off\b[^\n]*|Continue with the last task that you were asked to work on\.?|Resume directly\b[^\n]*|[^\n.!?]*\bwithout asking the user any (?:further|more|other) questions?\b[^\n]*|Another language model started to solve this problem and produced a summary\b[^\n]*)/giu

export function withoutSummaryFrame(text: string): string {
  return text.replace(FRAME, '')
}

/** A summary's text starts with its label; an assistant's label is stored apart. */
export function isSummary({ said_user, said_assistant, assistant_label }: SaidInChunk): boolean {
  if (said_user.trimStart().startsWith(CONTINUED)) return true
  return said_user === '' && assistant_label === '' && said_assistant.startsWith(SUMMARY_LABEL)
}
