/** The hot path of the index: writing chunks. The full-text index follows each of them by itself, in the same transaction. */
import type { Insertable } from 'kysely'
import type { ChunksTable } from './tables.ts'

export type NewChunk = Insertable<ChunksTable>

export interface ChunkRows {
  add(row: NewChunk): Promise<number>
}
