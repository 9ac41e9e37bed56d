import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { MnemonicError } from '../../core/error.ts'
import { stoppedWaiting } from '../interruptible.ts'
import type { WriteWait } from '../store.ts'

const PATIENCE_MS = 60_000

export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code)
}

interface Retrying extends WriteWait {
  readonly onWait?: () => void
}

/** Retries without blocking the event loop. `onWait` runs before each pause. */
export async function retryWhileBusy<T>(work: () => T, { patienceMs = PATIENCE_MS, signal, onWait }: Retrying = {}): Promise<T> {
  const deadline = Date.now() + patienceMs
  for (let wait = 2; ; wait = Math.min(wait * 2, 100)) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (signal?.aborted) throw stoppedWaiting(signal)
      if (Date.now() > deadline) {
        throw new MnemonicError('DATABASE_BUSY', `the database stayed locked for ${patienceMs / 1000} seconds`, {
          hint: 'Another program holds it open. Try again when it has finished.',
          cause: error,
        })
      }
      onWait?.()
    }
    // At most 0.2 s, so a signal is noticed quickly without a listener.
    await new Promise((resolve) => setTimeout(resolve, wait + Math.random() * wait))
  }
}

/** Includes SQLITE_CONSTRAINT and SQLITE_ERROR: rows that violate the schema, and missing tables. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB|CONSTRAINT|MISMATCH|ERROR|IOERR_SHORT_READ)/.test(error.code)
}

export function isUnreadable(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(error.code)
}

export function storageError(error: unknown, path: string): unknown {
  if (error instanceof TypeError && error.message === 'The database connection is not open')
    return new MnemonicError('USAGE', 'this memory is closed', { hint: 'Wait for what is under way before closing it.', cause: error })
  if (!(error instanceof Database.SqliteError)) return error
  if (isBusy(error)) return new MnemonicError('DATABASE_BUSY', `the database is locked: ${path}`, { cause: error, hint: 'Try again.' })
  return new MnemonicError('STORAGE_ERROR', `the database refused the work: ${error.message}`, {
    details: { path, sqlite: error.code },
    hint: hintFor(error.code, dirname(path)),
    cause: error,
  })
}

function hintFor(code: string, folder: string): string {
  if (/^SQLITE_(FULL|IOERR)/.test(code))
    return `Make room on the disk of ${folder}, and check that the folder is yours and writable: nothing of this step was stored.`
  if (/^SQLITE_(READONLY|PERM|CANTOPEN)/.test(code))
    return `Check that ${folder} and what is in it are yours and writable, or point MNEMONIC_HOME elsewhere.`
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code))
    return 'The file is damaged. mnemonic doctor --repair saves what can be read and makes the rest again; it says what is lost and asks first.'
  return 'Run mnemonic doctor; nothing of this step was stored.'
}
