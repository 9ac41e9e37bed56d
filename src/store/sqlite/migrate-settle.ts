/** Gives back the room that a migration took: the log of changes, and the pages of tables that were written anew. Only a help: a failure leaves a larger file. */
import { statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { asMnemonicError } from '../../core/error.ts'
import { emptyLog, rewrite } from './forget-erase.ts'

/** Writing the file anew is worth it where so much of it is empty … */
const EMPTY_SHARE = 0.15
/** … and up to this size, which takes some seconds: others cannot write meanwhile. Beyond, what comes later fills the empty pages. */
const MOST_BYTES = 2 ** 31
const LOG_PATIENCE_MS = 1000

export async function settleMigrated(db: Database.Database, path: string): Promise<void> {
  await emptyLog(db, LOG_PATIENCE_MS)
  const pages = db.pragma('page_count', { simple: true }) as number
  const empty = db.pragma('freelist_count', { simple: true }) as number
  if (empty < pages * EMPTY_SHARE || statSync(path).size > MOST_BYTES) return
  try {
    await rewrite(db, path)
  } catch (thrown) {
    const { code } = asMnemonicError(thrown)
    // No room, or another process writes: the file stays as large as it is.
    if (code !== 'STORAGE_ERROR' && code !== 'DATABASE_BUSY') throw thrown
  }
}
