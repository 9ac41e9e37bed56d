/** Brings a stored document up to date without touching text that is right already: its full-text rows and vectors stay. */
import type { Selectable } from 'kysely'
import type { WriteTx } from '../store/store.ts'
import type { ChunksTable } from '../store/tables.ts'
import { extract } from './extraction.ts'
import { type Built, type ChunkSurroundings, chunkRow, keyOfDocument, shortenedColumn } from './write-document.ts'

export type StoredChunk = Selectable<ChunksTable>

/** The stored chunks of turns, by turn, in order. */
export async function storedChunks(tx: WriteTx, turnIds: readonly string[]): Promise<Map<string, StoredChunk[]>> {
  const stored = new Map<string, StoredChunk[]>(turnIds.map((id) => [id, []]))
  if (turnIds.length === 0) return stored
  const rows = await tx.db.selectFrom('chunks').selectAll().where('turn_id', 'in', turnIds).orderBy('id').execute()
  for (const row of rows) stored.get(row.turn_id as string)?.push(row)
  return stored
}

/** True when the stored chunks are those of the document, or the newest of them: the cap may have taken the first. */
export function hasSameText({ turn, document, drafts }: Built, stored: readonly StoredChunk[]): boolean {
  if (turn.path !== document.path || turn.hash === '' || stored.length > drafts.length) return false
  const kept = drafts.slice(drafts.length - stored.length)
  return kept.every((draft, i) => {
    const row = stored[i]
    return row?.content_hash === draft.contentHash && row.said_user === draft.saidUser && row.said_assistant === draft.saidAssistant
  })
}

export async function refreshDocument(
  tx: WriteTx,
  { built, stored }: { built: Built; stored: readonly StoredChunk[] },
  around: Omit<ChunkSurroundings, 'extracted'> & { identity: string; analyze: boolean; now: number },
): Promise<void> {
  const { document, drafts } = built
  const kept = drafts.slice(drafts.length - stored.length)
  const extracted = await extract(tx, around.analyze ? kept : [])
  for (const [i, draft] of kept.entries()) {
    const row = stored[i] as StoredChunk
    const wanted = chunkRow({ document, draft }, { ...around, extracted: extracted.get(draft.contentHash) })
    const changes = Object.fromEntries(Object.entries(wanted).filter(([column, value]) => row[column as keyof StoredChunk] !== value))
    if (Object.keys(changes).length > 0) await tx.db.updateTable('chunks').set(changes).where('id', '=', row.id).execute()
  }
  const id = await keyOfDocument(tx, document)
  if (id === undefined) return
  await tx.db
    .updateTable('files')
    .set({
      hash: document.hash,
      chunk_count: drafts.length,
      identity: around.identity,
      agent_id: document.agentId,
      updated_at: around.now,
      shortened: shortenedColumn(document),
    })
    .where('id', '=', id)
    .execute()
}
