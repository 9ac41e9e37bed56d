import type Database from 'better-sqlite3'
import { MnemonicError } from '../../../core/error.ts'
import { isUnreadable, storageError } from '../storage-error.ts'

export interface Selected {
  columns: string[]
  rows: unknown[][]
  truncated: boolean
}

export function select(db: Database.Database, sql: string, limit: number): Selected {
  const statement = prepare(db, sql)
  if (!statement.reader || !statement.readonly) throw sqlRefused('the statement would write, or returns no rows')
  const columns = statement.columns().map((column) => column.name)
  const rows: unknown[][] = []
  try {
    for (const row of statement.raw().iterate()) {
      if (rows.length === limit) return { columns, rows, truncated: true }
      rows.push(row as unknown[])
    }
  } catch (error) {
    throw refusal(db, error)
  }
  return { columns, rows, truncated: false }
}

function prepare(db: Database.Database, sql: string): Database.Statement {
  if (/^\s*(attach|detach|pragma|vacuum)\b/i.test(sql)) throw sqlRefused('only queries are allowed')
  try {
    return db.prepare(sql)
  } catch (error) {
    throw refusal(db, error)
  }
}

/** A damaged file is not the query's fault. */
function refusal(db: Database.Database, error: unknown): unknown {
  if (isUnreadable(error)) return storageError(error, db.name)
  return sqlRefused(error instanceof Error ? error.message : String(error), error)
}

export function sqlRefused(why: string, cause?: unknown): MnemonicError {
  return new MnemonicError('SQL_REFUSED', `this SQL was not run: ${why}`, {
    hint: "Give one SELECT, as in: mnemonic sql 'select count(*) from agent_turns'. The tables: select name from sqlite_master",
    cause,
  })
}
