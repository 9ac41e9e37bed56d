/** Deleted bytes must not survive in the file or the WAL. */
import { realpathSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { MnemonicError } from '../../../core/error.ts'
import type { Erased } from '../../store-file.ts'
import { retryWhileBusy, storageError } from '../storage-error.ts'

/** Foreign readers pin the WAL; most finish within a second. */
const PATIENCE_MS = 10_000
const IN_MEMORY = 256 << 20

export async function emptyLog(writer: Database.Database, patienceMs: number = PATIENCE_MS): Promise<boolean> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const [state] = writer.pragma('wal_checkpoint(truncate)') as { busy: number }[]
    if (state?.busy === 0) return true
    if (Date.now() > deadline) return false
    await sleep(50)
  }
}

export function overwriteDeleted(writer: Database.Database, on: boolean): void {
  writer.pragma(`secure_delete = ${on ? 'on' : 'fast'}`)
}

/**
 * VACUUM rebuilds the file from live rows. secure_delete alone is not enough: a page rebuilt on overflow keeps old bytes between its cells.
 */
export async function rewrite(writer: Database.Database, path: string): Promise<Erased> {
  requireRoom(path)
  if (isLarge(path)) writer.pragma('temp_store = file') // VACUUM copies there
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

/** VACUUM needs space for the WAL, and for a large file also in the temp folder. */
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

function scratchFolder(): string {
  const folders = [process.env.SQLITE_TMPDIR, process.env.TMPDIR, '/var/tmp', '/usr/tmp', '/tmp']
  return folders.find((folder) => folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) ?? tmpdir()
}
