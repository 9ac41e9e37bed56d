/** Splits between messages, then inside long ones. Chunks overlap and repeat the question's start. */
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
  /** The owner's lines need no name. */
  readonly ownerName?: string | undefined
  readonly everyone?: boolean
}

export interface ChunkDraft {
  readonly saidUser: string
  readonly saidAssistant: string
  /** Empty if the text starts with a name. */
  readonly userLabel: string
  readonly assistantLabel: string
  readonly content: string
  /** Without names. */
  readonly spoken: string
  readonly contentHash: string
  readonly tokenCount: number
  readonly extraTerms: string
  /** Start of the question; empty if contained or nobody asked. */
  readonly question: string
  /** Meaning of a bare answer, else empty. */
  readonly answers: string
  readonly speakers: readonly string[]
  /** Empty for documents. */
  readonly messageIds: readonly string[]
  readonly timestamp: number
  readonly trust: Trust
}

/** `User: `, `Assistant: ` or a name of that length. */
const TOKENS_OF_LABEL = 2
/** Least tokens worth starting a long message in the previous chunk. */
const WORTH_JOINING = 120

interface Part extends Piece {
  readonly message: DocumentMessage
  /** Repeats the previous chunk's end. */
  readonly again?: true
}

/** Most share of a chunk that overlaps the previous one. */
const SHARE_AGAIN = 1 / 8

export function chunkDocument(document: IndexDocument, options: ChunkOptions): ChunkDraft[] {
  const labelled = { ...options, everyone: hasSeveralSpeakers(document.messages, options.ownerName) }
  const question = questionHead(document, options.maxTokens)
  const answers = answersHead(document, options.maxTokens)
  // Events were not counted before, and caching would retain their texts.
  const count = document.ledger === 'events' ? countTokens : countMessageTokens
  const maxTokens = options.maxTokens - answers.tokens
  return packed(document.messages, { ...labelled, maxTokens, question, count }).map((parts, i) => {
    const asked = i === 0 || question === undefined || holdsBeginning(parts, document) ? '' : question.text
    return { ...draft(parts, document, labelled), question: asked, answers: answers.text }
  })
}

/** An unnamed line would seem to be the previous speaker's. */
function hasSeveralSpeakers(messages: readonly DocumentMessage[], ownerName: string | undefined): boolean {
  const people = new Set<string>()
  for (const { role, speaker, named } of messages) {
    if (speaker !== 'Summary') people.add(named && !isOwner(speaker, ownerName) ? `${role} ${speaker}` : role)
  }
  return people.size > new Set(messages.map(({ role }) => role)).size
}

/** A short question may be part of the overlap. */
function holdsBeginning(parts: readonly Part[], { messages }: IndexDocument): boolean {
  return parts.some(({ message, text, again }) => again && message === messages[0] && message.text === text)
}

interface PackOptions extends ChunkOptions {
  readonly question: QuestionHead | undefined
  readonly count: (text: string) => number
}

function packed(messages: readonly DocumentMessage[], options: PackOptions): Part[][] {
  const max = options.maxTokens - 2 * TOKENS_OF_LABEL
  const asked = options.question?.tokens ?? 0
  const chunks: Part[][] = []
  let current: Part[] = []
  let used = 0
  const sizeOf = (part: Part) => countTokens(prefixOf(part.message, options)) + costOf(part)
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

/** Blanks separate parts, so tokens add up. */
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

/** For a role's first line; other lines have one only if needed. */
function labelOf(parts: readonly Part[], role: 'user' | 'assistant', options: ChunkOptions): string {
  const first = parts.find(({ message }) => message.role === role)?.message
  if (first === undefined) return role === 'user' ? 'User: ' : 'Assistant: '
  return prefixOf(first, options) === '' ? `${first.speaker}: ` : ''
}

function prefixOf({ speaker, named }: DocumentMessage, { ownerName, everyone }: ChunkOptions): string {
  if (speaker === 'Summary') return 'Summary: '
  return everyone || (named && !isOwner(speaker, ownerName)) ? `${speaker}: ` : ''
}

export function isOwner(speaker: string, ownerName: string | undefined): boolean {
  if (ownerName === undefined) return false
  const owner = ownerName.trim().toLowerCase()
  const name = speaker.trim().toLowerCase()
  return name !== '' && (name === owner || name === owner.split(/\s+/)[0])
}
