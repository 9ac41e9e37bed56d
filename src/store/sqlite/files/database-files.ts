import { closeSync, copyFileSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { renameDurably } from '../../../core/atomic-file.ts'
import type { Clock } from '../../../core/clock.ts'
import { asMnemonicError, MnemonicError } from '../../../core/error.ts'
import type { DatabaseFacts, DatabaseFiles } from '../../database-file.ts'
import type { CopyOptions } from '../../store-file.ts'
import { headerOf } from '../header.ts'
import { APPLICATION_ID, migrationNames, newer } from '../migrate/migrate.ts'
import { openSqlite } from '../open.ts'
import { faultsWithText, openDamaged } from '../repair/damaged-database.ts'
import { salvage } from '../repair/salvage.ts'
import { copyDatabase, faultsOf, makeOneFile, removeDatabase } from './copy.ts'

export function sqliteFiles(clock: Clock): DatabaseFiles {
  return {
    copy,
    facts: factsOf,
    check,
    faults: faultsWithText,
    openDamaged,
    copyPages: copyDatabase,
    salvage: (damaged, staged) => {
      const salvaged = salvage(damaged, staged, clock)
      makeOneFile(staged)
      return salvaged
    },
    open: (path) => openSqlite({ path, clock }),
    seal: makeOneFile,
    remove: removeDatabase,
    swap,
  }
}

async function copy(from: string, to: string, options: CopyOptions = {}): Promise<void> {
  // No process uses it: opening it would create -shm and -wal beside it, so copy the bytes.
  if (isWal(from) && !existsSync(`${from}-shm`)) copyAsItLies(from, to)
  else await copyDatabase(from, to, options).catch((error: unknown) => rejectDamage(from, error))
}

function rejectDamage(path: string, error: unknown): never {
  const { details, message } = asMnemonicError(error)
  throw /^SQLITE_(CORRUPT|NOTADB)/.test(String(details.sqlite)) ? damaged(path, [message], error) : error
}

function copyAsItLies(from: string, to: string): void {
  removeDatabase(to)
  try {
    for (const end of ['', '-wal']) {
      if (end !== '' && !existsSync(from + end)) continue
      closeSync(openSync(to + end, 'wx', 0o600))
      copyFileSync(from + end, to + end)
    }
    makeOneFile(to)
  } catch (error) {
    removeDatabase(to)
    throw damaged(from, [error instanceof Error ? error.message : String(error)], error)
  }
}

/** Rejects files that SQLite did not write before SQLite opens them. */
function isWal(path: string): boolean {
  const info = statSync(path, { throwIfNoEntry: false })
  if (info === undefined) throw new MnemonicError('NOT_FOUND', `there is no file ${path}`, { details: { path } })
  if (!info.isFile()) throw notOurs(path, 'it is no file')
  const header = headerOf(path)
  if (header === 'empty' || header === 'other') throw notOurs(path, 'it is no SQLite database')
  return header === 'wal'
}

function check(path: string): DatabaseFacts {
  isWal(path)
  const faults = faultsOf(path)
  if (faults.length > 0) throw damaged(path, faults)
  const facts = factsOf(path)
  const known = migrationNames()
  const unknown = facts.migrations.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw newer(path, unknown)
  return facts
}

function factsOf(path: string): DatabaseFacts {
  const db = new Database(path, { readonly: true, fileMustExist: true })
  try {
    if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) throw notOurs(path, 'it is the database of another program')
    const one = (sql: string) => Number(db.prepare(sql).pluck().get())
    return {
      bytes: statSync(path).size,
      migrations: db.prepare('select name from schema_migrations order by name').pluck().all() as string[],
      sessions: one('select count(*) from agent_sessions'),
      messages: one('select count(*) from agent_messages'),
      events: one('select count(*) from events'),
      lastMessageAt: db.prepare('select max(last_message_at) from agent_sessions').pluck().get() as number | null,
    }
  } catch (error) {
    throw error instanceof MnemonicError ? error : damaged(path, [error instanceof Error ? error.message : String(error)], error)
  } finally {
    db.close()
  }
}

function swap(staged: string, path: string, aside: string): void {
  // Move the old WAL first: it must never be applied to the new file.
  for (const end of ['-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, aside + end)
  if (existsSync(path)) {
    rmSync(aside, { force: true })
    linkSync(path, aside)
  }
  renameDurably(staged, path)
}

function notOurs(path: string, why: string): MnemonicError {
  return new MnemonicError('NOT_A_DATABASE', `${path} is no Mnemonic database: ${why}`, {
    details: { path },
    hint: 'Give a file that mnemonic backup wrote. Nothing was changed.',
  })
}

function damaged(path: string, faults: readonly string[], cause?: unknown): MnemonicError {
  return new MnemonicError('NOT_A_DATABASE', `${path} is damaged: ${faults[0]}`, {
    details: { path, faults },
    hint: 'Use another backup. Nothing was changed.',
    cause,
  })
}
