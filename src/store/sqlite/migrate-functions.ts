/** What migrations call and SQLite itself does not have. */
import type Database from 'better-sqlite3'
import { halfBlob } from './vector-blob.ts'

export function registerMigrationFunctions(db: Database.Database): void {
  db.function('mnemonic_float16', { deterministic: true }, (blob: unknown) => halfBlob(blob as Buffer))
}
