/** An empty hash marks an unfinished document, rewritten after a crash. */
import type { WriteTx } from '../store/store.ts'
import type { ChunkParts } from './chunk-row.ts'
import type { IndexDocument } from './document.ts'
import type { Item } from './indexable.ts'

export interface Built {
  readonly item: Item
  readonly document: IndexDocument
  readonly parts: readonly ChunkParts[]
}

export interface DocumentStart {
  readonly identity: string
  readonly now: number
  /** All chunks follow in this transaction. */
  readonly whole: boolean
}

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

export function shortenedColumn({ shortened }: IndexDocument): string | null {
  return shortened.length === 0 ? null : JSON.stringify(shortened)
}

/** False if replaced between two transactions. */
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

function keyOfDocument(tx: WriteTx, { path, source, turnId }: IndexDocument): Promise<number | undefined> {
  return tx.chunks.documentId({ path, source, turn_id: turnId ?? null })
}
