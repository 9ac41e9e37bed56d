/** The documents that the index is made of, and how messages of a session become one: only what people and assistants said, and summaries, redacted. */
import { sha256 } from '../core/hash.ts'
import { redactVisible } from '../core/redact.ts'
import { toIso } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import { ownName } from './speaker-name.ts'

/** `compaction` is one of a session in the ledger; the last three are files of published history. */
export type DocumentKind =
  | 'turn'
  | 'compaction'
  | 'episode'
  | 'document'
  | 'published-summary'
  | 'published-transcript'
  | 'published-compaction'

export interface IndexDocument {
  readonly path: string
  readonly source: 'sessions' | 'events' | 'memory'
  /** `memory` is in no ledger: a search limited to a ledger does not find it. */
  readonly ledger: 'agents' | 'events' | 'memory'
  readonly kind: DocumentKind
  readonly agentId: string
  readonly sessionId: string | undefined
  readonly turnId: string | undefined
  readonly timestamp: number
  readonly superseded: boolean
  /** The model that answered, when the source says so. */
  readonly model: string | undefined
  /** The whole text as `memory_get` and the QMD export give it: header, blank line, body. */
  readonly text: string
  /** sha256 of `text`. */
  readonly hash: string
  readonly messages: readonly DocumentMessage[]
  /** Sections that are chunked one by one, each with its own title. When absent, all messages are chunked together under the group's title. */
  readonly sections?: readonly { readonly title: string; readonly messages: readonly DocumentMessage[] }[]
  /** Everybody who takes part, where the document knows more of them than those who speak. */
  readonly participants?: readonly string[]
  /** What a prompt that only picks ("2", "yes") settles, in the words of the message that it answers. */
  readonly answers?: string | undefined
  /** Native ids of messages that are in it only in part, or not at all. */
  readonly shortened: readonly string[]
}

/** One redacted message of a document. */
export interface DocumentMessage {
  readonly nativeId: string
  readonly role: 'user' | 'assistant'
  /** The name to show: the source's speaker, else User, Assistant, or Summary for that of a compaction. */
  readonly speaker: string
  /** The speaker is a person or agent by name, not just a role. */
  readonly named: boolean
  readonly text: string
  readonly timestamp: number | undefined
  readonly trust: Trust
  /** What stands before its text in the document, where that is not the speaker alone. */
  readonly label?: string
  /** What stands behind its text in the document, and is not indexed. */
  readonly after?: string
  /** Whose words a chunk of it counts as, where that is not its role and its speaker. */
  readonly speakers?: readonly string[]
}

/** What a document needs to know of its session, turn and messages: columns of the ledger. */
export interface DocumentSession {
  readonly id: string
  readonly agent_id: string
  readonly label: string
  readonly started_at: number | null
}

export interface DocumentTurn {
  readonly id: string
  readonly status: 'open' | 'final' | 'superseded'
  readonly timestamp: number | null
  /** What its prompt answers, where that says nothing alone; redacted. */
  readonly answers?: string | undefined
}

export interface DocumentRow {
  readonly native_id: string
  readonly role: 'user' | 'assistant' | 'system' | 'tool'
  readonly kind: string
  readonly content: string | null
  readonly timestamp: number | null
  readonly speaker: string | null
  readonly trust: string
  readonly model: string | null
  /** The messages before it fill the document, so its text was not even read. */
  readonly leftOut?: boolean
}

/**
 * How much of one message, and of all messages of a turn, is indexed, in UTF-16 units. Nobody types more than that, or searches it
 * by its words. The ledger has it whole, and `show` prints it.
 */
export const INDEXED_MESSAGE = 2 << 20
export const INDEXED_DOCUMENT = 4 << 20
/** How much more is read, so that a secret across the cut is seen whole. */
const BEYOND_CUT = 64 << 10
/** What a message is read up to. */
export const READ_MESSAGE = INDEXED_MESSAGE + BEYOND_CUT

/** The document of a turn or a compaction; `rows` are its messages in order. */
export function spokenDocument(
  session: DocumentSession,
  turn: DocumentTurn,
  rows: readonly DocumentRow[],
  { kind, path }: Pick<IndexDocument, 'kind' | 'path'>,
): IndexDocument {
  const spoken = rows.filter((row) => row.role === 'user' || row.role === 'assistant' || row.kind === 'summary')
  const { messages, shortened } = documentMessages(spoken)
  // The model of the messages that are shown: the turn's own may still change without a change of its text.
  const model = spoken.findLast((row) => row.role === 'assistant' && row.model !== null && row.content?.trim())?.model ?? undefined
  const timestamp = turn.timestamp ?? messages.find((message) => message.timestamp !== undefined)?.timestamp ?? session.started_at
  const header = [
    `Session: ${session.label}`,
    `Turn: ${turn.id}`,
    ...(timestamp === null ? [] : [`Time: ${toIso(timestamp)}`]),
    ...(model === undefined ? [] : [`Model: ${model}`]),
    ...(turn.answers === undefined ? [] : [`Answers: ${turn.answers}`]),
  ]
  const body = messages.map(({ speaker, text }) => `${speaker}: ${text}`)
  if (shortened.length > 0) body.push(`[Only a part of this turn is indexed. All of it: mnemonic show ${turn.id}]`)
  const text = `${header.join('\n')}\n\n${body.join('\n\n')}\n`
  return {
    path,
    source: 'sessions',
    ledger: 'agents',
    kind,
    agentId: session.agent_id,
    sessionId: session.id,
    turnId: turn.id,
    timestamp: timestamp ?? 0,
    superseded: turn.status === 'superseded',
    model,
    text,
    hash: sha256(text),
    messages,
    answers: turn.answers,
    shortened,
  }
}

function documentMessages(rows: readonly DocumentRow[]): Pick<IndexDocument, 'messages' | 'shortened'> {
  const messages: DocumentMessage[] = []
  const shortened: string[] = []
  let room = INDEXED_DOCUMENT
  for (const row of rows) {
    const raw = row.content ?? ''
    const limit = room < LONGEST_WORD ? 0 : Math.min(INDEXED_MESSAGE, room)
    if (raw.length > limit || row.leftOut) shortened.push(row.native_id)
    const message = documentMessage(row, raw.length > limit ? beginning(raw, limit) : cleanText(raw))
    room -= message.text.length
    if (message.text !== '') messages.push(message)
  }
  return { messages, shortened }
}

/** The first part of a long text, redacted before it is cut, and cut between words where there are any. */
export function beginning(raw: string, limit: number): string {
  if (limit <= 0) return ''
  const part = cleanText(raw.slice(0, limit + BEYOND_CUT))
    .slice(0, limit)
    .toWellFormed()
  const end = part.slice(-LONGEST_WORD).search(/\s\S*$/)
  return (end === -1 ? part : part.slice(0, part.length - Math.min(LONGEST_WORD, part.length) + end)).trimEnd()
}

const LONGEST_WORD = 1000

function documentMessage(row: DocumentRow, text: string): DocumentMessage {
  // A subagent's prompt has the role of a user, but an agent wrote it.
  const role = row.role === 'user' && row.kind !== 'summary' && row.trust !== 'agent' ? 'user' : 'assistant'
  const name = row.kind === 'summary' ? undefined : ownName(row.speaker)
  const named = name !== undefined
  return {
    nativeId: row.native_id,
    role,
    speaker: named ? cleanText(name) : row.kind === 'summary' ? 'Summary' : role === 'user' ? 'User' : 'Assistant',
    named,
    text,
    timestamp: row.timestamp ?? undefined,
    trust: row.trust as Trust,
  }
}

export function cleanText(raw: string): string {
  return redactVisible(raw).trim()
}
