/** Makes sure that what was deleted is not in the file any more: deleted content is overwritten, the log of changes emptied, the file rewritten. */
import { realpathSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { MnemonicError } from '../../../core/error.ts'
import type { Erased } from '../../store-file.ts'
import { retryWhileBusy, storageError } from '../storage-error.ts'

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

/**
 * Rewrites the whole file from the rows that it holds now: nothing that was ever deleted, replaced or moved is in the new pages. Overwriting
 * alone does not do that: a page that is rebuilt when its neighbour overflows keeps what it held before in the gap between its cells.
 */
export async function rewrite(writer: Database.Database, path: string): Promise<Erased> {
  requireRoom(path)
  if (isLarge(path)) writer.pragma('temp_store = file') // the copy is made there
  try {
    await retryWhileBusy(() => writer.exec('vacuum'))
  } catch (error) {
    throw storageError(error, path)
  } finally {
    writer.pragma('temp_store = memory')
  }
  return { logEmptied: await emptyLog(writer), rewritten: true }
}

function isLarge(path: string): boolean {
  return sizeOf(path) > IN_MEMORY
}

function sizeOf(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** The new content is written through the log of changes beside the file; a large file is copied first, to where the engine puts such copies. */
export function requireRoom(path: string): void {
  const size = Math.ceil(sizeOf(path) * 1.1)
  const folder = dirname(realpathSync(path))
  const needs = new Map([[folder, size]])
  if (isLarge(path)) {
    const scratch = scratchFolder()
    const same = statSync(scratch).dev === statSync(folder).dev ? folder : scratch
    needs.set(same, (needs.get(same) ?? 0) + size)
  }
  for (const [disk, bytes] of needs) {
    const { bavail, bsize } = statfsSync(disk)
    if (bavail * bsize >= bytes) continue
    throw new MnemonicError('STORAGE_ERROR', `there is not enough room in ${disk} to write the database anew, as forgetting must`, {
      details: { path, needs_bytes: bytes, free_bytes: bavail * bsize },
      hint: `Free ${Math.ceil((bytes - bavail * bsize) / 1e6)} MB there, then forget it again.`,
    })
  }
}

/** As SQLite itself chooses it. */
function scratchFolder(): string {
  const folders = [process.env.SQLITE_TMPDIR, process.env.TMPDIR, '/var/tmp', '/usr/tmp', '/tmp']
  return folders.find((folder) => folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) ?? tmpdir()
}
