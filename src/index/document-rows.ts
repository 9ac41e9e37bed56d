/** Writes the rows of documents. Until a document is finished its hash is empty, so that an interrupted one is recognised and written again. */
import type { WriteTx } from '../store/store.ts'
import type { ChunkParts } from './chunk-row.ts'
import type { IndexDocument } from './document.ts'
import type { Item } from './indexable.ts'

/** An item with its document and the chunks of it. */
export interface Built {
  readonly item: Item
  readonly document: IndexDocument
  readonly parts: readonly ChunkParts[]
}

export interface DocumentStart {
  readonly identity: string
  readonly now: number
  /** All chunks follow in the same transaction. */
  readonly whole: boolean
}

/** Writes the rows of documents, and removes what their items had before. */
export async function startDocuments(tx: WriteTx, group: readonly Built[], { identity, now, whole }: DocumentStart): Promise<void> {
  const stale = group.flatMap(({ item }) => (item.file === null ? [] : [item.file]))
  if (stale.length > 0) await tx.db.deleteFrom('index_files').where('id', 'in', stale).execute()
  await tx.chunks.addFiles(
    group.map(({ document, parts }) => ({
      path: document.path,
      source: document.source,
      hash: whole ? document.hash : '',
      agent_id: document.agentId,
      session_id: document.sessionId ?? null,
      turn_id: document.turnId ?? null,
      kind: document.kind,
      chunk_count: whole ? parts.length : 0,
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

/** True while the document is still the one that was begun: its item may have been replaced between two transactions. */
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
function keyOfDocument(tx: WriteTx, { path, source, turnId }: IndexDocument): Promise<number | undefined> {
  return tx.chunks.documentId({ path, source, turn_id: turnId ?? null })
}
