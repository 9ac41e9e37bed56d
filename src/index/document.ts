/** Documents contain only messages of people and assistants, and summaries, redacted. */
import { sha256 } from '../core/hash.ts'
import { redactVisible } from '../core/redact.ts'
import { toIso } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import { ownName } from './speaker-name.ts'

/** `published-`: files of published history. */
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
  /** Ledger filters exclude `memory`. */
  readonly ledger: 'agents' | 'events' | 'memory'
  readonly kind: DocumentKind
  readonly agentId: string
  readonly sessionId: string | undefined
  readonly turnId: string | undefined
  readonly timestamp: number
  readonly superseded: boolean
  readonly model: string | undefined
  /** As `memory_get` and the QMD export return it. */
  readonly text: string
  readonly hash: string
  readonly messages: readonly DocumentMessage[]
  /** Chunked separately under their titles. */
  readonly sections?: readonly { readonly title: string; readonly messages: readonly DocumentMessage[] }[]
  /** Set if more people take part than speak. */
  readonly participants?: readonly string[]
  /** Meaning of a bare answer ("2", "yes"). */
  readonly answers?: string | undefined
  /** Truncated or omitted. */
  readonly shortened: readonly string[]
}

export interface DocumentMessage {
  readonly nativeId: string
  readonly role: 'user' | 'assistant'
  /** Name, else User, Assistant or Summary. */
  readonly speaker: string
  /** False if `speaker` is only a role. */
  readonly named: boolean
  readonly text: string
  readonly timestamp: number | undefined
  readonly trust: Trust
  /** Replaces the speaker before the text. */
  readonly label?: string
  /** Not indexed. */
  readonly after?: string
  readonly speakers?: readonly string[]
}

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
  /** Meaning of a bare answer; redacted. */
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
  /** The document was full, so the text was not read. */
  readonly leftOut?: boolean
}

/** UTF-16 units indexed; more than anyone types. `show` prints the whole text. */
export const INDEXED_MESSAGE = 2 << 20
export const INDEXED_DOCUMENT = 4 << 20
/** A secret across the cut must be seen whole. */
const BEYOND_CUT = 64 << 10
export const READ_MESSAGE = INDEXED_MESSAGE + BEYOND_CUT

export function spokenDocument(
  session: DocumentSession,
  turn: DocumentTurn,
  rows: readonly DocumentRow[],
  { kind, path }: Pick<IndexDocument, 'kind' | 'path'>,
): IndexDocument {
  const spoken = rows.filter((row) => row.role === 'user' || row.role === 'assistant' || row.kind === 'summary')
  const { messages, shortened } = documentMessages(spoken)
  // The turn's model may change without its text.
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

/** Redacts before cutting. */
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
  // A subagent's prompt has role `user`, but an agent wrote it.
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
