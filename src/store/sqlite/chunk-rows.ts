/** The index's hot statements, prepared on first use. */
import type Database from 'better-sqlite3'
import type { ChunkRows, ExtractionRow } from '../chunk-rows.ts'
import { insertStatement } from './insert-statement.ts'
import { manyKeys } from './many-keys.ts'

export function chunkRows(db: Database.Database): ChunkRows {
  let prepared: ReturnType<typeof prepare> | undefined
  const s = () => {
    prepared ??= prepare(db)
    return prepared
  }
  return {
    add: async (row) => s().addChunk([row]),
    addAll: async (rows) => void s().addChunks(rows),
    addFiles: async (rows) => void s().addFiles(rows),
    extractions: async (hashes) => s().extractions(hashes),
    addExtractions: async (rows) => void s().addExtractions(rows),
  }
}

function prepare(db: Database.Database) {
  return {
    addChunk: insertStatement(db, 'chunks', { atOnce: 1 }),
    // A statement with a trigger is a savepoint of its own, and at each savepoint FTS5 writes out what it has gathered: the more rows
    // a statement takes, the less is written and merged.
    addChunks: insertStatement(db, 'chunks', { atOnce: 64 }),
    addFiles: insertStatement(db, 'files', { atOnce: 1 }),
    extractions: manyKeys<ExtractionRow>(
      db,
      (list) => `select content_hash as key, content_hash, extractor, value_json from extraction_cache where content_hash in (${list})`,
    ),
    addExtractions: insertStatement(db, 'extraction_cache', { atOnce: 32, keepOld: true }),
  }
}
