/** The hot path of the index: documents, their chunks, what was extracted from them. The engine keeps the full-text index in step, in the same transaction. */
import type { Insertable, Selectable } from 'kysely'
import type { ChunksTable, ExtractionCacheTable, FilesTable } from './tables.ts'

export type NewChunk = Insertable<ChunksTable>
export type NewFile = Insertable<FilesTable>
export type ExtractionRow = Selectable<ExtractionCacheTable>

export interface ChunkRows {
  /** Returns the chunk's id. */
  add(row: NewChunk): Promise<number>
  /** Adds chunks, all with the same columns, in their order. */
  addAll(rows: readonly NewChunk[]): Promise<void>
  /** Adds documents, all with the same columns. */
  addFiles(rows: readonly NewFile[]): Promise<void>
  /** The id of a document: by its turn, else by its path. */
  documentId(document: Pick<NewFile, 'path' | 'source' | 'turn_id'>): Promise<number | undefined>
  /** What was extracted from texts, by their content hash. */
  extractions(contentHashes: readonly string[]): Promise<Map<string, ExtractionRow[]>>
  /** A row that exists already stays as it is. */
  addExtractions(rows: readonly ExtractionRow[]): Promise<void>
}
