/** A document that somebody wrote, as rows of the index: spoken by its author, cut at its headings. Pure but for the cache of rules. */
import { sha256 } from '../core/hash.ts'
import { parseWhen } from '../core/time.ts'
import type { NewChunk } from '../store/chunk-rows.ts'
import type { WriteTx } from '../store/store.ts'
import { type ChunkDraft, chunkDocument } from './chunk-document.ts'
import { contextLines, type Owner, titleLine } from './context-lines.ts'
import type { DocumentMessage, IndexDocument } from './document.ts'
import { extract } from './extraction.ts'
import { sectionsOf } from './workspace-sections.ts'

/** Changes whenever the same text would give other rows: then every document is indexed again. */
export const DOCUMENT_RULES = 'documents-1'

/** A row of the mirror. */
export interface MirroredDocument {
  readonly path: string
  readonly agent_id: string
  readonly timestamp: number
  readonly text: string
}

export interface PreparedDocument {
  readonly document: IndexDocument
  readonly parts: readonly { readonly draft: ChunkDraft; readonly title: string }[]
}

export interface PrepareOptions {
  readonly maxTokens: number
  readonly owner: Owner
}

export function prepareDocument(found: MirroredDocument, { maxTokens, owner }: PrepareOptions): PreparedDocument {
  const { text } = found
  const document: IndexDocument = {
    path: found.path,
    source: 'memory',
    ledger: 'agents',
    kind: 'document',
    agentId: found.agent_id,
    sessionId: undefined,
    turnId: undefined,
    timestamp: timeOf(found, owner.timezone),
    superseded: false,
    model: undefined,
    text,
    hash: sha256(text),
    messages: [],
    shortened: [],
  }
  const parts = sectionsOf(text, maxTokens - 4).flatMap((section) => {
    const title = titleLine([found.path, ...section.trail].join(' › '))
    const messages = [writtenBy(section.text)]
    return chunkDocument({ ...document, messages }, { maxTokens, ownerName: owner.name }).map((draft) => ({ draft, title }))
  })
  return { document, parts }
}

/** The author of a document in the workspace is its owner. */
function writtenBy(text: string): DocumentMessage {
  return { nativeId: '', role: 'user', speaker: 'User', named: false, text, timestamp: undefined, trust: 'owner' }
}

/** Notes of a day are named after it; else the time of the last change is all we know. */
function timeOf({ path, timestamp }: MirroredDocument, timezone: string): number {
  const day = /(?:^|\/)(\d{4}-\d{2}-\d{2})[^/]*$/.exec(path)?.[1]
  if (day === undefined) return timestamp
  try {
    return parseWhen(day, { timezone, now: timestamp })
  } catch {
    return timestamp // digits that are no day: 2026-99-01-plan.md
  }
}

/** Writes a document in place of what stood under its path. */
export async function writeDocument(
  tx: WriteTx,
  { document, parts }: PreparedDocument,
  { identity, analyze, now, owner }: { identity: string; analyze: boolean; now: number; owner: Owner },
): Promise<void> {
  const { path, source, hash, agentId, kind } = document
  await removeDocument(tx, path)
  await tx.chunks.addFiles([{ path, source, hash, agent_id: agentId, kind, chunk_count: parts.length, identity, updated_at: now }])
  const extracted = await extract(tx, analyze ? parts.map(({ draft }) => draft) : [])
  for (const [i, { draft, title }] of parts.entries()) {
    const found = extracted.get(draft.contentHash)
    const row = chunkRow(document, draft, { title, owner, topics: found?.topics ?? [] })
    const flags = { has_decision: Number(found?.hasDecision ?? false), has_action: Number(found?.hasAction ?? false) }
    await tx.chunks.add({ ...row, ...flags, chunk_index: i, created_at: now })
  }
}

export async function removeDocument(tx: WriteTx, path: string): Promise<void> {
  const id = await tx.chunks.documentId({ path, source: 'memory', turn_id: null })
  if (id !== undefined) await tx.db.deleteFrom('files').where('id', '=', id).where('kind', '=', 'document').execute()
}

function chunkRow(
  { path, source, agentId, timestamp }: IndexDocument,
  draft: ChunkDraft,
  { title, owner, topics }: { title: string; owner: Owner; topics: readonly string[] },
): Omit<NewChunk, 'chunk_index' | 'created_at'> {
  const participants = `[Participants: ${owner.name ?? 'User'}]`
  return {
    path,
    source,
    ledger: 'memory', // it stands in no ledger: a search of one does not find it
    agent_id: agentId,
    session_id: null,
    turn_id: null,
    timestamp,
    speakers: JSON.stringify(draft.speakers),
    message_ids: '[]',
    said_user: draft.saidUser,
    said_assistant: draft.saidAssistant,
    user_label: draft.userLabel,
    assistant_label: draft.assistantLabel,
    extra_terms: draft.extraTerms,
    context: contextLines({ timestamp, participants, topics, title }, owner.timezone).replace(/^\[Session from /, '[Document of '),
    topic_tags: JSON.stringify(topics),
    token_count: draft.tokenCount,
    trust: draft.trust,
    content_hash: draft.contentHash,
  }
}
