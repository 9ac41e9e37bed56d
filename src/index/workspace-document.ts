/** Writes the rows of a document that was read from the workspace. Pure but for the cache of rules. */
import { sha256 } from '../core/hash.ts'
import type { FoundDocument } from '../ingest/documents/list-documents.ts'
import type { WriteTx } from '../store/store.ts'
import { chunkDocument } from './chunk-document.ts'
import { type ChunkParts, chunkRow, type Owner } from './chunk-row.ts'
import type { IndexDocument } from './document.ts'
import { extract } from './extraction.ts'
import type { BuildOptions } from './indexable.ts'
import { writtenDocument } from './workspace-documents.ts'

/** Changes whenever the same text would give other rows: then every document is read again. */
export const DOCUMENT_RULES = 'documents-1'

export interface PreparedDocument {
  readonly document: IndexDocument
  readonly parts: readonly ChunkParts[]
}

export function prepareDocument(found: FoundDocument, text: string, options: BuildOptions): PreparedDocument {
  const { path, agentId, mtimeMs } = found
  const document = writtenDocument({ path, agent_id: agentId, text, hash: sha256(text), timestamp: mtimeMs }, options)
  const parts = (document.sections ?? []).flatMap(({ title, messages }) =>
    chunkDocument({ ...document, messages }, { maxTokens: options.maxTokens, ownerName: options.owner.name }).map((draft) => ({
      ...{ document, draft, title },
    })),
  )
  return { document, parts }
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
  for (const [i, part] of parts.entries()) {
    const row = chunkRow(part, extracted.get(part.draft.contentHash), owner)
    await tx.chunks.add({ ...row, chunk_index: i, created_at: now })
  }
}

export async function removeDocument(tx: WriteTx, path: string): Promise<void> {
  const id = await tx.chunks.documentId({ path, source: 'memory', turn_id: null })
  if (id !== undefined) await tx.db.deleteFrom('files').where('id', '=', id).where('kind', '=', 'document').execute()
}
