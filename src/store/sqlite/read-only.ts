/**
 * Opens a database that cannot be written (read-only folder, full disk, foreign home). SQLite reads a WAL database in place only if `-wal`
 * and `-shm` exist or can be created. If neither exists, no process uses the file, so it is loaded into memory.
 */
import { closeSync, openSync, readSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { MnemonicError } from '../../core/error.ts'
import type { ReadOnlyReason } from '../store.ts'
import { headerOf } from './header.ts'
import { scratchFolder } from './scratch-folder.ts'

const LARGEST_COPY = 2 ** 31
const LARGEST_HURRIED_COPY = 256 * 2 ** 20
const PIECE = 64 * 2 ** 20
/** Header bytes with the journal mode: 2 is WAL, 1 is a rollback journal. */
const JOURNAL_BYTES = [18, 19] as const

const NO_ROOM = /^(?:ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_(?:WRITE|SHM|FSYNC|DIR_FSYNC|TRUNCATE))/
const NO_RIGHTS = /^(?:EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/

export function readOnlyReason(error: unknown): ReadOnlyReason | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as NodeJS.ErrnoException).code ?? ''
    if (NO_ROOM.test(code)) return 'full'
    if (NO_RIGHTS.test(code)) return 'read-only'
  }
  return undefined
}

export interface ReadOnlyDatabase {
  readonly db: Database.Database
  /** An in-memory copy, which no other connection can attach. */
  readonly isCopy: boolean
}

export function openReadOnly(path: string, { timeout, hurried = false }: { timeout: number; hurried?: boolean }): ReadOnlyDatabase {
  const db = new Database(path, { readonly: true, timeout })
  try {
    db.prepare('select 1 from sqlite_master').get()
    return { db, isCopy: false }
  } catch (error) {
    db.close()
    if (readOnlyReason(error) === undefined) throw error
    return { db: new Database(copyOf(path, hurried ? LARGEST_HURRIED_COPY : LARGEST_COPY), { readonly: true }), isCopy: true }
  }
}

/** Patches the header so that SQLite expects no WAL. Throws if a log exists, or if the file changes while it is read. */
function copyOf(path: string, largest: number): Buffer {
  const before = statSync(path)
  requireNoLog(path)
  if (before.size > largest) throw unreadable(path, `it is too large to be read into memory (${before.size} bytes)`)
  const copy = readWhole(path, before.size)
  requireNoLog(path)
  if (!isSame(before, statSync(path))) throw unreadable(path, 'another process is writing it')
  if (headerOf(path) === 'wal') for (const at of JOURNAL_BYTES) copy[at] = 1
  return copy
}

function readWhole(path: string, size: number): Buffer {
  const copy = Buffer.alloc(size)
  const file = openSync(path, 'r')
  try {
    for (let at = 0; at < size; ) {
      const read = readSync(file, copy, at, Math.min(PIECE, size - at), at)
      if (read === 0) throw unreadable(path, 'another process is writing it')
      at += read
    }
    return copy
  } finally {
    closeSync(file)
  }
}

/** An empty WAL is harmless; a rollback journal means an interrupted write. */
function requireNoLog(path: string): void {
  for (const log of [`${path}-wal`, `${path}-journal`])
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0) throw unreadable(path, `${log} holds changes that must be merged first`)
}

function isSame(before: Stats, after: Stats): boolean {
  return before.size === after.size && before.mtimeMs === after.mtimeMs && before.ino === after.ino
}

function unreadable(path: string, why: string): MnemonicError {
  return new MnemonicError('STORAGE_ERROR', `cannot read ${path} without writing beside it: ${why}`, {
    details: { path, read_only: true },
    hint: `Copy ${dirname(path)} to a folder that you can write, and point MNEMONIC_HOME there.`,
  })
}

/** `sql` can attach only a file. The temporary file is deleted on return. */
export function withFileOf<T>(db: Database.Database, work: (path: string) => T): T {
  const folder = scratchFolder('mnemonic-sql-', tmpdir())
  try {
    const path = join(folder, 'copy.db')
    writeFileSync(path, db.serialize(), { mode: 0o600 })
    return work(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function cannotWrite(path: string, reason: ReadOnlyReason): MnemonicError {
  const folder = dirname(path)
  const [why, hint] =
    reason === 'full'
      ? [`the disk of ${folder} is full`, 'Make room on it, then run the command again; reading goes on working.']
      : [
          `${folder} cannot be written`,
          'Check that the folder is yours and writable, or point MNEMONIC_HOME elsewhere; reading goes on working.',
        ]
  return new MnemonicError('STORAGE_ERROR', `nothing was stored: ${why}`, { details: { path, read_only: true, reason }, hint })
}
