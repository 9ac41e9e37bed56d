/** The engine updates the full-text index in the same transaction. */
import type { Insertable, Selectable } from 'kysely'
import type { ChunksTable, ExtractionCacheTable, FilesTable } from './tables.ts'

export type NewChunk = Insertable<ChunksTable>
export type NewFile = Insertable<FilesTable>
export type ExtractionRow = Selectable<ExtractionCacheTable>

export interface ChunkRows {
  add(row: NewChunk): Promise<number>
  /** All rows must have the same columns. */
  addAll(rows: readonly NewChunk[]): Promise<void>
  addFiles(rows: readonly NewFile[]): Promise<void>
  documentId(document: Pick<NewFile, 'path' | 'source' | 'turn_id'>): Promise<number | undefined>
  extractions(contentHashes: readonly string[]): Promise<Map<string, ExtractionRow[]>>
  /** Keeps existing rows. */
  addExtractions(rows: readonly ExtractionRow[]): Promise<void>
}
