import { chunkContext, titleLine } from '../core/chunk-text.ts'
import { oneLine } from '../core/text.ts'
import type { NewChunk } from '../store/chunk-rows.ts'
import type { ChunkOfMessages } from './chunk-context.ts'
import { type ChunkDraft, isOwner } from './chunk-document.ts'
import { cleanText, type IndexDocument } from './document.ts'
import type { Extracted } from './extraction.ts'

export interface Owner {
  readonly name?: string | undefined
  readonly timezone: string
  /** Lower case. */
  readonly emails?: readonly string[]
  readonly phones?: readonly string[]
}

export interface ChunkParts {
  readonly document: IndexDocument
  readonly draft: ChunkDraft
  readonly title: string
}

export type ChunkRow = Omit<NewChunk, 'chunk_index' | 'created_at'>

export function chunkRow({ document, draft, title }: ChunkParts, extracted: Extracted | undefined, owner: Owner, added = ''): ChunkRow {
  const topics = extracted?.topics ?? []
  const isWritten = document.kind === 'document'
  const participants = document.participants ?? (isWritten ? [owner.name ?? 'User'] : participantsOf(document, owner))
  const of = isWritten ? 'document' : document.kind === 'episode' ? 'episode' : 'session'
  const about = { of, participants, topics, question: draft.question, answers: draft.answers, title } as const
  return {
    path: document.path,
    source: document.source,
    ledger: document.ledger,
    agent_id: document.agentId,
    session_id: document.sessionId ?? null,
    turn_id: document.turnId ?? null,
    timestamp: draft.timestamp,
    speakers: JSON.stringify(draft.speakers),
    message_ids: JSON.stringify(draft.messageIds),
    said_user: draft.saidUser,
    said_assistant: draft.saidAssistant,
    user_label: draft.userLabel,
    assistant_label: draft.assistantLabel,
    // Words of the question must find the chunk with the answer.
    extra_terms: withContext(withContext(draft.extraTerms, draft.question === '' ? draft.answers : ''), added),
    context: chunkContext({ timestamp: draft.timestamp, ...about }, owner.timezone),
    topic_tags: JSON.stringify(topics),
    has_decision: Number(extracted?.hasDecision ?? false),
    has_action: Number(extracted?.hasAction ?? false),
    token_count: draft.tokenCount,
    trust: draft.trust,
    superseded: Number(document.superseded),
    content_hash: draft.contentHash,
  }
}

export function withContext(terms: string, added: string): string {
  return added === '' ? terms : `${terms} ${added}`.trim()
}

export function chunkOfPart({ document, draft }: ChunkParts): ChunkOfMessages {
  return { sessionId: document.sessionId ?? null, messages: draft.messageIds, text: `${draft.saidUser}\n${draft.saidAssistant}` }
}

/** `Jason Wu`, `Assistant (claude-…)`. */
function participantsOf({ messages, model }: IndexDocument, owner: Owner): string[] {
  const named = (role: 'user' | 'assistant') =>
    messages.filter((message) => message.role === role && message.named).map((message) => message.speaker)
  const users = named('user').map((name) => (isOwner(name, owner.name) ? (owner.name ?? name) : name))
  if (users.length === 0) users.push(owner.name ?? 'User')
  const assistants = named('assistant')
  if (assistants.length === 0) assistants.push('Assistant')
  const names = [...new Set([...users, ...assistants])]
  return model === undefined ? names : [...names.slice(0, -1), `${names.at(-1)} (${model})`]
}

const LONGEST_TITLE = 120

/** Empty without a title. */
export function safeTitleLine(title: string | null): string {
  return title === null ? '' : titleLine(oneLine(cleanText(title), LONGEST_TITLE))
}
