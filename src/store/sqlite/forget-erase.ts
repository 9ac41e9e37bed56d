/** Makes sure that what was deleted is not in the file any more: deleted content is overwritten, the log of changes emptied, the file rewritten. */
import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { MnemonicError } from '../../core/error.ts'
import type { Erased } from '../store.ts'
import { retryWhileBusy, storageError } from './storage-error.ts'

/** Readers of other processes keep the log: most are gone within a second. */
const PATIENCE_MS = 10_000
const IN_MEMORY = 256 << 20

/** Moves every change into the file and empties the log. False when a reader elsewhere did not let go of it. */
export async function emptyLog(writer: Database.Database, patienceMs: number = PATIENCE_MS): Promise<boolean> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const [state] = writer.pragma('wal_checkpoint(truncate)') as { busy: number }[]
    if (state?.busy === 0) return true
    if (Date.now() > deadline) return false
    await sleep(50)
  }
}

/** Overwrites what is deleted from now on, in the pages and on the list of free ones. */
export function overwriteDeleted(writer: Database.Database, on: boolean): void {
  writer.pragma(`secure_delete = ${on ? 'on' : 'fast'}`)
}

/** Writes the whole file anew, without anything that was ever deleted. Refuses where there is no room for it. */
export async function rewrite(writer: Database.Database, path: string): Promise<Erased> {
  const size = statSync(path).size
  const { bavail, bsize } = statfsSync(dirname(path))
  if (bavail * bsize < size * 2.2) {
    throw new MnemonicError('STORAGE_ERROR', `there is not enough room to write ${path} anew`, {
      details: { path, needs_bytes: Math.ceil(size * 2.2), free_bytes: bavail * bsize },
      hint: 'Free that much space, then run mnemonic forget --resume.',
    })
  }
  if (size > IN_MEMORY) writer.pragma('temp_store = file') // the copy is made there
  try {
    await retryWhileBusy(() => writer.exec('vacuum'))
  } catch (error) {
    throw storageError(error, path)
  } finally {
    writer.pragma('temp_store = memory')
  }
  return { logEmptied: await emptyLog(writer), rewritten: true }
}
