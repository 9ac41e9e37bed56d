/**
 * Cuts a document into chunks: the exchange whole where it fits, else between its messages, else inside a message that is too long alone.
 * Neighbouring chunks share some text, and each chunk without the question has its beginning.
 */
import { chunkContent } from '../core/chunk-text.ts'
import { sha256 } from '../core/hash.ts'
import { countMessageTokens, countTokens } from '../core/tokens.ts'
import { leastTrusted, type Trust } from '../core/trust.ts'
import type { DocumentMessage, IndexDocument } from './document.ts'
import { extraTerms } from './extra-terms.ts'
import { answersHead, type QuestionHead, questionHead } from './question-head.ts'
import { costOf, endOf, isLong, type Piece, splitText } from './split-text.ts'

export interface ChunkOptions {
  readonly maxTokens: number
  /** The owner's own lines need no name before them. */
  readonly ownerName?: string | undefined
  /** Put a name before every line. */
  readonly everyone?: boolean
}

export interface ChunkDraft {
  readonly saidUser: string
  readonly saidAssistant: string
  /** The label before each of them: a role or the owner's name, or nothing where the text begins with a name itself. */
  readonly userLabel: string
  readonly assistantLabel: string
  /** Both, as the views and a search show them. */
  readonly content: string
  /** The same text without any names before it: what it is about. */
  readonly spoken: string
  readonly contentHash: string
  readonly tokenCount: number
  readonly extraTerms: string
  /** The beginning of the question that this answers; empty where the text itself holds it, or nobody asked. */
  readonly question: string
  /** What the prompt of its turn settles, where that says nothing alone; empty else. */
  readonly answers: string
  /** Roles and names, in order of first speech. */
  readonly speakers: readonly string[]
  /** Native ids of the messages whose text this is; none of a document. */
  readonly messageIds: readonly string[]
  readonly timestamp: number
  readonly trust: Trust
}

/** `User: ` or `Assistant: ` in the composed content, or a name of their length. */
const TOKENS_OF_LABEL = 2
/** A long message begins in the chunk before it only where there is room for a readable part. */
const WORTH_JOINING = 120

/** One message, or a part of one, on its way into a chunk. */
interface Part extends Piece {
  readonly message: DocumentMessage
  /** It repeats the end of the chunk before. */
  readonly again?: true
}

/** No chunk gives more than this share of its room to the end of the one before. */
const SHARE_AGAIN = 1 / 8

export function chunkDocument(document: IndexDocument, options: ChunkOptions): ChunkDraft[] {
  const labelled = { ...options, everyone: hasSeveralSpeakers(document.messages, options.ownerName) }
  const question = questionHead(document, options.maxTokens)
  const answers = answersHead(document, options.maxTokens)
  // What people wrote was not counted before, and kept texts are thrown away late.
  const count = document.ledger === 'events' ? countTokens : countMessageTokens
  const maxTokens = options.maxTokens - answers.tokens
  return packed(document.messages, { ...labelled, maxTokens, question, count }).map((parts, i) => {
    const asked = i === 0 || question === undefined || holdsBeginning(parts, document) ? '' : question.text
    return { ...draft(parts, document, labelled), question: asked, answers: answers.text }
  })
}

/** Where several people share a role, a line without a name would seem to be said by the speaker before it. */
function hasSeveralSpeakers(messages: readonly DocumentMessage[], ownerName: string | undefined): boolean {
  const people = new Set<string>()
  for (const { role, speaker, named } of messages) {
    if (speaker !== 'Summary') people.add(named && !isOwner(speaker, ownerName) ? `${role} ${speaker}` : role)
  }
  return people.size > new Set(messages.map(({ role }) => role)).size
}

/** A short question may be repeated whole from the end of the chunk before. */
function holdsBeginning(parts: readonly Part[], { messages }: IndexDocument): boolean {
  return parts.some(({ message, text, again }) => again && message === messages[0] && message.text === text)
}

interface PackOptions extends ChunkOptions {
  readonly question: QuestionHead | undefined
  /** The tokens of a whole message. */
  readonly count: (text: string) => number
}

function packed(messages: readonly DocumentMessage[], options: PackOptions): Part[][] {
  const max = options.maxTokens - 2 * TOKENS_OF_LABEL
  const asked = options.question?.tokens ?? 0
  const chunks: Part[][] = []
  let current: Part[] = []
  let used = 0
  const sizeOf = (part: Part) => countTokens(prefixOf(part.message, options)) + costOf(part)
  /** What the chunk after `parts` begins with, where it goes on with another message. */
  const sharedWith = (parts: readonly Part[], next: DocumentMessage): Part[] => {
    const last = parts.at(-1)
    if (last === undefined || last.message === next) return []
    const end = endOf(last.message.text, Math.floor(max * SHARE_AGAIN))
    return end.text === '' ? [] : [{ message: last.message, ...end, again: true }]
  }
  const roomFor = (shared: readonly Part[]) => max - asked - shared.reduce((sum, part) => sum + sizeOf(part), 0)
  const flush = (next?: DocumentMessage) => {
    if (current.length === 0) return
    chunks.push(current)
    current = next === undefined ? [] : sharedWith(current, next)
    used = max - roomFor(current)
  }
  for (const message of messages) {
    const prefix = countTokens(prefixOf(message, options))
    const whole = isLong(message.text, max) ? undefined : { text: message.text, tokens: options.count(message.text) }
    const cost = whole && prefix + costOf(whole)
    const alone = current.length === 0 ? max : roomFor(sharedWith(current, message))
    if (whole && cost !== undefined && (used + cost <= max || cost <= alone)) {
      if (used + cost > max) flush(message)
      current.push({ message, ...whole })
      used += cost
      continue
    }
    const left = max - used - prefix
    for (const piece of splitText(message.text, {
      first: left >= WORTH_JOINING ? left : 0,
      alone: alone - prefix,
      max: max - asked - prefix,
    })) {
      const size = prefix + costOf(piece)
      if (used + size > max || current.at(-1)?.message === message) flush(message)
      current.push({ message, ...piece })
      used += size
    }
  }
  flush()
  return chunks
}

function draft(parts: readonly Part[], document: IndexDocument, options: ChunkOptions): Omit<ChunkDraft, 'question' | 'answers'> {
  const saidUser = said(parts, 'user', options)
  const saidAssistant = said(parts, 'assistant', options)
  const [userLabel, assistantLabel] = [labelOf(parts, 'user', options), labelOf(parts, 'assistant', options)]
  const columns = { said_user: saidUser, said_assistant: saidAssistant, user_label: userLabel, assistant_label: assistantLabel }
  const content = chunkContent(columns)
  return {
    saidUser,
    saidAssistant,
    userLabel,
    assistantLabel,
    content,
    spoken: parts.map(({ text }) => text).join('\n'),
    contentHash: sha256(content),
    tokenCount: tokensOf(parts, options),
    extraTerms: extraTerms(content),
    speakers: [...new Set(parts.flatMap(({ message }) => speakersOf(message)))],
    messageIds: [...new Set(parts.map(({ message }) => message.nativeId))].filter((id) => id !== ''),
    timestamp: parts.find(({ message, again }) => message.timestamp !== undefined && !again)?.message.timestamp ?? document.timestamp,
    trust: leastTrusted(parts.map(({ message }) => message.trust)),
  }
}

function speakersOf({ role, speaker, named, speakers }: DocumentMessage): readonly string[] {
  return speakers ?? (named ? [role, speaker] : [role])
}

/** Blanks divide all parts, so that the tokens of the whole are those of its parts. */
function tokensOf(parts: readonly Part[], options: ChunkOptions): number {
  const labels = [...new Set(parts.map(({ message }) => message.role))].map((role) => labelOf(parts, role, options))
  return parts.reduce(
    (sum, { message, tokens }) => sum + tokens + countTokens(prefixOf(message, options)),
    labels.reduce((sum, label) => sum + countTokens(label), 0),
  )
}

function said(parts: readonly Part[], role: 'user' | 'assistant', options: ChunkOptions): string {
  return parts
    .filter(({ message }) => message.role === role)
    .map(({ message, text }) => `${prefixOf(message, options)}${text}`)
    .join('\n\n')
}

/** Of the first line of a role: the others have one only where they need it. */
function labelOf(parts: readonly Part[], role: 'user' | 'assistant', options: ChunkOptions): string {
  const first = parts.find(({ message }) => message.role === role)?.message
  if (first === undefined) return role === 'user' ? 'User: ' : 'Assistant: '
  return prefixOf(first, options) === '' ? `${first.speaker}: ` : ''
}

function prefixOf({ speaker, named }: DocumentMessage, { ownerName, everyone }: ChunkOptions): string {
  if (speaker === 'Summary') return 'Summary: '
  return everyone || (named && !isOwner(speaker, ownerName)) ? `${speaker}: ` : ''
}

/** True for the owner's full name and for the first name alone. */
export function isOwner(speaker: string, ownerName: string | undefined): boolean {
  if (ownerName === undefined) return false
  const owner = ownerName.trim().toLowerCase()
  const name = speaker.trim().toLowerCase()
  return name !== '' && (name === owner || name === owner.split(/\s+/)[0])
}
