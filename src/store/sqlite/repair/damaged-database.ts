import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'
import Database from 'better-sqlite3'
import * as sqliteVec from 'sqlite-vec'
import { MnemonicError } from '../../../core/error.ts'
import type { DamagedDatabase } from '../../database-file.ts'
import { type HeldRow, requireNoneHeld } from '../../lease.ts'
import { emptyLog } from '../files/erase.ts'
import { replacePages } from '../files/replace.ts'
import { headerOf } from '../header.ts'
import { APPLICATION_ID } from '../migrate/migrate.ts'
import { isDamage, retryWhileBusy, storageError } from '../storage-error.ts'

export function openDamaged(path: string): DamagedDatabase {
  if (!existsSync(path)) throw new MnemonicError('NOT_FOUND', `there is no database at ${path}`, { details: { path } })
  if (headerOf(path) === 'other' || headerOf(path) === 'empty') throw unreadable(path, 'its first page is lost')
  padToPageCount(path)
  const db = new Database(path, { timeout: 0, fileMustExist: true })
  try {
    db.pragma('journal_mode = wal')
    if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) throw unreadable(path, 'it is not a database of Mnemonic')
    db.prepare('select count(*) from sqlite_master').get()
  } catch (error) {
    db.close()
    throw isDamage(error) ? unreadable(path, 'its schema is lost') : storageError(error, path)
  }
  const version = () => db.pragma('data_version', { simple: true }) as number
  let locked = version()
  const unlock = () => {
    if (db.inTransaction) db.exec('rollback')
  }
  return {
    async lock(signal) {
      await retryWhileBusy(() => db.exec('begin immediate'), { signal })
      locked = version()
    },
    unlock,
    requireNoLease: (clock) => requireNoneHeld(leases(db), clock),
    replaceWith(staged, options = {}) {
      unlock()
      return replacePages(path, staged, { ...options, holds: () => version() === locked })
    },
    async emptyLog() {
      sqliteVec.load(db)
      return emptyLog(db)
    },
    close() {
      unlock()
      db.close()
    },
  }
}

function leases(db: Database.Database): HeldRow[] {
  try {
    return db.prepare('select * from leases').all() as HeldRow[]
  } catch (error) {
    if (!isDamage(error)) throw error
    return [] // unreadable leases: no job can start either
  }
}

/** SQLite rejects a file shorter than its header says, so missing pages are padded with zeros. */
function padToPageCount(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return
    const size = pageSizeOf(header)
    const bytes = size * header.readUInt32BE(PAGE_COUNT_AT)
    const found = fstatSync(file).size
    if (found >= size && found < bytes && bytes <= MOST_PADDED * found) ftruncateSync(file, bytes)
  } finally {
    closeSync(file)
  }
}

const HEADER_BYTES = 100
const PAGE_SIZE_AT = 16
const PAGE_COUNT_AT = 28
/** A larger count means that the header itself is damaged. */
const MOST_PADDED = 100

function pageSizeOf(header: Buffer): number {
  const size = header.readUInt16BE(PAGE_SIZE_AT)
  return size === 1 ? 65_536 : size
}

function unreadable(path: string, why: string): MnemonicError {
  return new MnemonicError('NOT_A_DATABASE', `${path} cannot be repaired: ${why}`, {
    details: { path },
    hint: 'Restore a backup: mnemonic restore FILE. Without one: move the file away, then mnemonic sync reads your sources again.',
  })
}

/** The copy must not be open elsewhere. */
export function faultsWithText(path: string): string[] {
  const db = new Database(path, { fileMustExist: true })
  try {
    sqliteVec.load(db)
    const faults = (db.pragma('integrity_check(20)') as { integrity_check: string }[])
      .map((row) => row.integrity_check)
      .filter((line) => line !== 'ok')
    for (const name of ['chunks_fts', 'work_fts']) {
      try {
        db.exec(`insert into ${name} (${name}) values ('integrity-check')`)
      } catch (error) {
        if (!isDamage(error)) throw error
        faults.push(`the full text ${name} does not agree with its table`)
      }
    }
    return faults
  } catch (error) {
    if (!isDamage(error)) throw error
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    db.close()
  }
}
