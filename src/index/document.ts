/** The documents the index is made of: one a turn, one a compaction, derived from the agents ledger alone and redacted. */
import { sha256 } from '../core/hash.ts'
import { compactionPath, turnPath } from '../core/ids.ts'
import { redactVisible } from '../core/redact.ts'
import { toIso } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'

export interface IndexDocument {
  readonly path: string
  readonly source: 'sessions' | 'events' | 'memory'
  readonly ledger: 'agents' | 'events'
  readonly kind: 'turn' | 'compaction' | 'episode' | 'document'
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
  readonly turn_type: 'normal' | 'compaction'
  readonly status: 'open' | 'final' | 'superseded'
  readonly timestamp: number | null
  readonly provider: string | null
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
}

/** The document of a turn; `rows` are its messages in order. Only what people and assistants said, and summaries, goes in. */
export function turnDocument(session: DocumentSession, turn: DocumentTurn, rows: readonly DocumentRow[]): IndexDocument {
  const spoken = rows.filter((row) => row.role === 'user' || row.role === 'assistant' || row.kind === 'summary')
  const messages = spoken.map(documentMessage).filter((message) => message.text !== '')
  // The model of the messages that are shown: the turn's own may still change without a change of its text.
  const model = spoken.findLast((row) => row.role === 'assistant' && row.model !== null && row.content?.trim())?.model ?? undefined
  const timestamp = turn.timestamp ?? messages.find((message) => message.timestamp !== undefined)?.timestamp ?? session.started_at
  const header = [
    `Session: ${session.label}`,
    `Turn: ${turn.id}`,
    ...(timestamp === null ? [] : [`Time: ${toIso(timestamp)}`]),
    ...(model === undefined ? [] : [`Model: ${model}`]),
    ...(turn.provider === null ? [] : [`Provider: ${turn.provider}`]),
  ]
  const body = messages.map(({ speaker, text }) => `${speaker}: ${text}`)
  const text = `${header.join('\n')}\n\n${body.join('\n\n')}\n`
  const isCompaction = turn.turn_type === 'compaction'
  return {
    path: isCompaction ? compactionPath(session.label, turn.id) : turnPath(session.label, turn.id),
    source: 'sessions',
    ledger: 'agents',
    kind: isCompaction ? 'compaction' : 'turn',
    agentId: session.agent_id,
    sessionId: session.id,
    turnId: turn.id,
    timestamp: timestamp ?? 0,
    superseded: turn.status === 'superseded',
    model,
    text,
    hash: sha256(text),
    messages,
  }
}

const ROLE_NAMES = new Set(['user', 'human', 'assistant', 'ai', 'summary'])

function documentMessage(row: DocumentRow): DocumentMessage {
  // What an agent told a subagent stands in the user's place there, and is an agent's speech all the same.
  const role = row.role === 'user' && row.kind !== 'summary' && row.trust !== 'agent' ? 'user' : 'assistant'
  const name = row.kind === 'summary' ? undefined : row.speaker?.trim()
  const named = name !== undefined && name !== '' && !ROLE_NAMES.has(name.toLowerCase())
  return {
    nativeId: row.native_id,
    role,
    speaker: named ? cleanText(name) : row.kind === 'summary' ? 'Summary' : role === 'user' ? 'User' : 'Assistant',
    named,
    text: cleanText(row.content ?? ''),
    timestamp: row.timestamp ?? undefined,
    trust: row.trust as Trust,
  }
}

export function cleanText(raw: string): string {
  return redactVisible(raw).trim()
}
