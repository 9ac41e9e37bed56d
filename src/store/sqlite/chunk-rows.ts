/** The index's hot statements, prepared on first use. */
import type Database from 'better-sqlite3'
import type { ChunkRows } from '../chunk-rows.ts'
import { insertStatement } from './insert-statement.ts'

export function chunkRows(db: Database.Database): ChunkRows {
  let add: ((row: object) => number) | undefined
  return {
    async add(row) {
      add ??= insertStatement(db, 'chunks')
      return add(row)
    },
  }
}
