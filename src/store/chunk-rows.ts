/** The hot path of the index: documents, their chunks, what was extracted of them. The full-text index follows each chunk by itself, in the same transaction. */
import type { Insertable, Selectable } from 'kysely'
import type { ChunksTable, ExtractionCacheTable, FilesTable } from './tables.ts'

export type NewChunk = Insertable<ChunksTable>
export type NewFile = Insertable<FilesTable>
export type ExtractionRow = Selectable<ExtractionCacheTable>

export interface ChunkRows {
  /** Gives the chunk's key. */
  add(row: NewChunk): Promise<number>
  /** Adds chunks, all with the same columns, in their order. */
  addAll(rows: readonly NewChunk[]): Promise<void>
  /** Adds documents, all with the same columns. */
  addFiles(rows: readonly NewFile[]): Promise<void>
  /** The key of a document: by its turn, else by its path. */
  documentId(document: Pick<NewFile, 'path' | 'source' | 'turn_id'>): Promise<number | undefined>
  /** What is kept of texts, by their content hash. */
  extractions(contentHashes: readonly string[]): Promise<Map<string, ExtractionRow[]>>
  /** What is there already stays as it is. */
  addExtractions(rows: readonly ExtractionRow[]): Promise<void>
}
