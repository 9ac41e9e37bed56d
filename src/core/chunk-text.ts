/**
 * The text of a chunk: what was said in it, with its labels, and the lines before it that only an embedding sees. All code that stores, shows or
 * embeds a chunk composes it here; the view `session_chunks` composes the same in SQL.
 */
import { redactSensitiveText } from './redact.ts'
import { formatWithZone } from './time.ts'

/** The columns of a chunk that its text is made of. */
export interface SaidInChunk {
  readonly said_user: string
  readonly said_assistant: string
  /** The label before each of them: a role or a name, or nothing where the text begins with a name itself. */
  readonly user_label: string
  readonly assistant_label: string
}

/** The text as it is shown, and hashed. */
export function chunkContent({ said_user, said_assistant, user_label, assistant_label }: SaidInChunk): string {
  const user = said_user && user_label + said_user
  const assistant = said_assistant && assistant_label + said_assistant
  return user === '' || assistant === '' ? user + assistant : `${user}\n${assistant}`
}

/**
 * The text as it is embedded: context, an empty line, content. What was said was redacted when it was indexed; names and titles are now. Of a
 * meeting without its time: all occurrences of a series have one text, and one vector.
 */
export function embeddedText({ context, content }: { readonly context: string; readonly content: string }): string {
  const isMeeting = context.startsWith(`[${OPENING.episode} `) && content.startsWith('Meeting: ')
  const about = isMeeting ? context.replace(/^.*\n?/, '') : context
  const said = isMeeting ? content.replace(/\nWhen: .*/, '') : content
  return `${redactSensitiveText(about, { mode: 'tools' })}\n\n${said}`
}

export interface ContextParts {
  /** Of a session's text, of a document that somebody wrote, or of what people wrote to each other. */
  readonly of: 'session' | 'document' | 'episode'
  /** 0 where nobody knows. */
  readonly timestamp: number
  readonly participants: readonly string[]
  readonly topics: readonly string[]
  /** The beginning of the question that the chunk answers. */
  readonly question: string
  /** What a short answer settles: the option that was chosen, the question that was agreed to. */
  readonly answers: string
  /** As `titleLine` gives it. */
  readonly title: string
}

/** When, who, what about, what was asked, what was answered, in which session: one line each, those that are known. */
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

/** Empty without a title. */
export function titleLine(title: string): string {
  return title === '' ? '' : `[Context: ${title}]`
}

/** The same context with another title. */
export function withTitle(context: string, title: string): string {
  const lines = context.split('\n').filter((line) => !line.startsWith('[Context: '))
  return (title === '' ? lines : [...lines, title]).join('\n')
}

export function questionLine(head: string): string {
  return head === '' ? '' : `[Question: ${head}]`
}

/** The beginning of the question, taken from a context. */
export function questionIn(context: string): string | undefined {
  return /^\[Question: (.*)\]$/m.exec(context)?.[1]
}

export function answersLine(words: string): string {
  return words === '' ? '' : `[Answers: ${words}]`
}

/** What a short answer settles, taken from a context. */
export function answersIn(context: string): string | undefined {
  return /^\[Answers: (.*)\]$/m.exec(context)?.[1]
}

const SUMMARY_LABEL = 'Summary: '
/** With these words a harness opens a session that goes on from a summary. */
const CONTINUED = 'This session is being continued from a previous conversation'

/** What harnesses put around a summary tells the next model how to go on: it says nothing of the work. */
const FRAME =
  /This session is being continued from a previous conversation[^\n]*(?:\n|$)|(?:The (?:summary below|conversation is summarized)[^\n.:]*[.:]|If you need specific details from before compaction\b[^\n]*|(?:Please )?continue the conversation from where (?:we|it) left (?:it )?off\b[^\n]*|Continue with the last task that you were asked to work on\.?|Resume directly\b[^\n]*|[^\n.!?]*\bwithout asking the user any (?:further|more|other) questions?\b[^\n]*|Another language model started to solve this problem and produced a summary\b[^\n]*)/giu

export function withoutSummaryFrame(text: string): string {
  return text.replace(FRAME, '')
}

/** A compaction's text names itself; what an assistant says has its label apart. */
export function isSummary({ said_user, said_assistant, assistant_label }: SaidInChunk): boolean {
  if (said_user.trimStart().startsWith(CONTINUED)) return true
  return said_user === '' && assistant_label === '' && said_assistant.startsWith(SUMMARY_LABEL)
}
