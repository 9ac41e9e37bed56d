/** Unchanged text keeps full-text rows and vectors. */
import type { Selectable } from 'kysely'
import type { WriteTx } from '../store/store.ts'
import type { ChunksTable } from '../store/tables.ts'
import { chunkContexts } from './chunk-context.ts'
import { chunkOfPart, chunkRow } from './chunk-row.ts'
import { type Built, shortenedColumn } from './document-rows.ts'
import { extract } from './extraction.ts'
import type { VisitOptions } from './indexable.ts'

type StoredChunk = Selectable<ChunksTable>

export async function storedChunks(tx: WriteTx, files: readonly number[]): Promise<Map<number, StoredChunk[]>> {
  const stored = new Map<number, StoredChunk[]>(files.map((id) => [id, []]))
  const rows = await tx.db
    .selectFrom('index_chunks as i')
    .innerJoin('chunks as c', 'c.id', 'i.id')
    .selectAll('c')
    .select('i.file')
    .where('i.file', 'in', files)
    .orderBy('i.id')
    .execute()
  for (const { file, ...row } of rows) stored.get(file)?.push(row)
  return stored
}

/** The cap may have dropped the first. */
export function hasSameText({ item, document, parts }: Built, stored: readonly StoredChunk[]): boolean {
  if (item.path !== document.path || item.hash === '' || stored.length > parts.length) return false
  const kept = parts.slice(parts.length - stored.length)
  return kept.every(({ draft }, i) => {
    const row = stored[i]
    return row?.content_hash === draft.contentHash && row.said_user === draft.saidUser && row.said_assistant === draft.saidAssistant
  })
}

export async function refreshDocument(
  tx: WriteTx,
  { built, stored }: { built: Built; stored: readonly StoredChunk[] },
  { identity, analyze, owner, clock }: VisitOptions,
): Promise<void> {
  const { item, document, parts } = built
  const kept = parts.slice(parts.length - stored.length)
  const extracted = await extract(tx, analyze ? kept.map(({ draft }) => draft) : [])
  const added = await chunkContexts(tx.db, kept.map(chunkOfPart))
  for (const [i, part] of kept.entries()) {
    const row = stored[i] as StoredChunk
    const wanted = chunkRow(part, extracted.get(part.draft.contentHash), owner, added(chunkOfPart(part)))
    const changes = Object.fromEntries(Object.entries(wanted).filter(([column, value]) => row[column as keyof StoredChunk] !== value))
    if (Object.keys(changes).length > 0) await tx.db.updateTable('chunks').set(changes).where('id', '=', row.id).execute()
  }
  await tx.db
    .updateTable('files')
    .set({
      hash: document.hash,
      chunk_count: parts.length,
      identity,
      agent_id: document.agentId,
      updated_at: clock(),
      shortened: shortenedColumn(document),
    })
    .where('id', '=', item.file)
    .execute()
}
