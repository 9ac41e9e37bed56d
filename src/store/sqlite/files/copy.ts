/** Snapshots a database while others write to it. The copy is one file, readable by this user only. */
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { MnemonicError } from '../../../core/error.ts'
import type { CopyOptions } from '../../store-file.ts'
import { storageError } from '../storage-error.ts'

const READ_WAIT_MS = 10_000
/** Between steps the event loop handles Ctrl-C, leases and progress. */
const PAGES_A_STEP = 2000
const SIDECARS = ['-journal', '-wal', '-shm']

/** Overwrites `to`; removes it on failure. */
export async function copyDatabase(from: string, to: string, { onBytes, signal }: CopyOptions = {}): Promise<void> {
  removeDatabase(to)
  try {
    closeSync(openSync(to, 'wx', 0o600))
    await copyPages(from, to, { onBytes, signal })
    makeOneFile(to)
  } catch (error) {
    removeDatabase(to)
    throw signal?.aborted ? signal.reason : copyError(error, to)
  }
}

export async function copyChecked(
  from: string,
  to: string,
  { unchecked, ...options }: CopyOptions & { unchecked?: boolean } = {},
): Promise<void> {
  await copyDatabase(from, to, options)
  const faults = unchecked ? [] : faultsOf(to)
  if (faults.length === 0) return
  removeDatabase(to)
  throw new MnemonicError('STORAGE_ERROR', `${from} is damaged: ${faults[0]}`, {
    details: { path: from, faults },
    hint: 'No copy was written. Repair the database first: mnemonic doctor --repair',
  })
}

async function copyPages(from: string, to: string, { onBytes, signal }: CopyOptions): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true, timeout: READ_WAIT_MS })
  try {
    const pageSize = source.pragma('page_size', { simple: true }) as number
    // One read transaction pins the snapshot. Without it every foreign commit would restart the copy.
    source.exec('begin')
    source.prepare('select count(*) from sqlite_schema').get()
    await source.backup(to, {
      progress({ totalPages, remainingPages }) {
        onBytes?.((totalPages - remainingPages) * pageSize, totalPages * pageSize)
        signal?.throwIfAborted()
        return PAGES_A_STEP
      },
    })
  } finally {
    source.close()
  }
}

/** Leaves WAL mode, in which every reader creates two sidecar files, and syncs to disk. */
export function makeOneFile(path: string): void {
  const db = new Database(path, { timeout: READ_WAIT_MS })
  try {
    db.pragma('journal_mode = delete')
  } finally {
    db.close()
  }
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

export function faultsOf(path: string): string[] {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: READ_WAIT_MS })
  try {
    const rows = db.pragma('integrity_check(5)') as { integrity_check: string }[]
    return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok')
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    db.close()
  }
}

export function removeDatabase(path: string): void {
  for (const file of [path, ...SIDECARS.map((end) => path + end)]) rmSync(file, { force: true })
}

function copyError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? ''
  if (error instanceof MnemonicError) return error
  if (code.startsWith('SQLITE_')) return storageError(error, path)
  return new MnemonicError('STORAGE_ERROR', `cannot write ${path}: ${code === '' ? String(error) : code}`, {
    details: { path, code },
    hint: 'Check that the folder exists, is yours and has room.',
    cause: error,
  })
}
