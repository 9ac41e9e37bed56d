/** Writes the rows of one document. Until it is finished its hash is empty, so that a broken-off one is seen and written again. */
import type { NewChunk } from '../store/chunk-rows.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import type { ChunkDraft } from './chunk-document.ts'
import { contextLines, type Owner, participantsLine } from './context-lines.ts'
import type { IndexDocument } from './document.ts'
import type { Extracted } from './extraction.ts'
import { endsOf } from './numbering.ts'
import type { TurnToIndex } from './session-rows.ts'

/** A turn with its document and the chunks of it. */
export interface Built {
  readonly turn: TurnToIndex
  readonly document: IndexDocument
  readonly drafts: readonly ChunkDraft[]
}

export interface DocumentStart {
  readonly identity: string
  readonly now: number
  /** All chunks follow in the same transaction. */
  readonly whole: boolean
}

/** Writes the rows of documents, in place of what their turns had. */
export async function startDocuments(tx: WriteTx, group: readonly Built[], { identity, now, whole }: DocumentStart): Promise<void> {
  const stale = group.filter(({ turn }) => turn.path !== null).map(({ turn }) => turn.id)
  if (stale.length > 0) await tx.db.deleteFrom('files').where('turn_id', 'in', stale).execute()
  await tx.chunks.addFiles(
    group.map(({ document, drafts }) => ({
      path: document.path,
      source: document.source,
      hash: whole ? document.hash : '',
      agent_id: document.agentId,
      session_id: document.sessionId ?? null,
      turn_id: document.turnId ?? null,
      kind: document.kind,
      chunk_count: whole ? drafts.length : 0,
      identity,
      updated_at: now,
      shortened: shortenedColumn(document),
    })),
  )
}

/** What the row of a document says of messages that are not in it whole. */
export function shortenedColumn({ shortened }: IndexDocument): string | null {
  return shortened.length === 0 ? null : JSON.stringify(shortened)
}

/** The numbers that new chunks get: going up at the end of the session; down from zero where their place is settled later. */
export interface Place {
  readonly first: number
  readonly step: 1 | -1
}

/** `inside`: documents of later turns exist already. */
export async function placeOf(tx: WriteTx, sessionId: string, inside: boolean): Promise<Place> {
  const { least, greatest } = await endsOf(tx.db, sessionId)
  return least >= 0 && !inside ? { first: greatest + 1, step: 1 } : { first: Math.min(least, 0) - 1, step: -1 }
}

/** The sequence of the last turn that has a document; -1 when none has. */
export async function lastDocumented(tx: WriteTx, sessionId: string): Promise<number> {
  return (await lastWithDocument(tx.db, { sessionId }))[0]?.sequence ?? -1
}

const lastWithDocument = compiledOnce((db, { sessionId }: { sessionId: string }) =>
  db
    .selectFrom('agent_turns as t')
    .innerJoin('files as f', 'f.turn_id', 't.id')
    .select('t.sequence')
    .where('t.session_id', '=', sessionId)
    .orderBy('t.sequence', 'desc')
    .limit(1),
)

/** True while the document is still the one that was begun: its turn may have been replaced between two transactions. */
export async function isUnfinished(tx: WriteTx, document: IndexDocument): Promise<boolean> {
  const id = await keyOfDocument(tx, document)
  const row = id === undefined ? undefined : await tx.db.selectFrom('index_files').select('hash').where('id', '=', id).executeTakeFirst()
  return row?.hash === ''
}

export async function finishDocument(tx: WriteTx, document: IndexDocument, chunks: number): Promise<void> {
  const id = await keyOfDocument(tx, document)
  if (id === undefined) return
  await tx.db.updateTable('files').set({ hash: document.hash, chunk_count: chunks }).where('id', '=', id).execute()
}

/** Undefined when it is not in the index. */
export async function keyOfDocument(tx: WriteTx, { path, source, turnId }: IndexDocument): Promise<number | undefined> {
  return tx.chunks.documentId({ path, source, turn_id: turnId ?? null })
}

export interface ChunkParts {
  readonly document: IndexDocument
  readonly draft: ChunkDraft
}

export interface ChunkSurroundings {
  readonly extracted: Extracted | undefined
  readonly title: string
  readonly owner: Owner
}

export function chunkRow({ document, draft }: ChunkParts, around: ChunkSurroundings): Omit<NewChunk, 'chunk_index' | 'created_at'> {
  const { extracted, title, owner } = around
  const topics = extracted?.topics ?? []
  const participants = participantsLine(document, owner)
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
    extra_terms: draft.extraTerms,
    context: contextLines({ timestamp: draft.timestamp, participants, topics, question: draft.question, title }, owner.timezone),
    topic_tags: JSON.stringify(topics),
    has_decision: Number(extracted?.hasDecision ?? false),
    has_action: Number(extracted?.hasAction ?? false),
    token_count: draft.tokenCount,
    trust: draft.trust,
    superseded: Number(document.superseded),
    content_hash: draft.contentHash,
  }
}
