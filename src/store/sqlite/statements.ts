import type Database from 'better-sqlite3'
import type { SqliteDatabase } from 'kysely'
import { isBusy, storageError } from './storage-error.ts'

type Statement = ReturnType<SqliteDatabase['prepare']>

export type Prepare = (sql: string) => Database.Statement

/** Unbounded: for our own, few statements. */
export function preparedOnce(db: Database.Database): Prepare {
  const statements = new Map<string, Database.Statement>()
  return (sql) => {
    const known = statements.get(sql)
    if (known) return known
    const made = db.prepare(sql)
    statements.set(sql, made)
    return made
  }
}

const MOST = 300

/** For the query builder's many statements. Adds error codes. */
export function cachedStatements(db: Database.Database): SqliteDatabase {
  const statements = new Map<string, { made: Database.Statement; guarded: Statement }>()
  return {
    close: () => void db.close(),
    prepare(sql) {
      const known = statements.get(sql)
      // A statement that is being iterated cannot run again: prepare a second one.
      if (known !== undefined && !known.made.busy) return known.guarded
      const made = coded(db, () => db.prepare(sql))
      const guarded: Statement = {
        reader: made.reader,
        all: (values) => coded(db, () => made.all(values)),
        run: (values) => coded(db, () => made.run(values)),
        iterate: (values) => codedRows(made.iterate(values), db.name),
      }
      if (statements.size >= MOST) statements.delete(statements.keys().next().value as string)
      statements.set(sql, { made, guarded })
      return guarded
    },
  }
}

function coded<T>(db: Database.Database, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw withCode(error, db.name)
  }
}

export function* codedRows<T>(rows: Iterable<T>, path: string): IterableIterator<T> {
  try {
    yield* rows
  } catch (error) {
    throw withCode(error, path)
  }
}

/** Keeps a busy error as is, because retries recognise it. */
export function withCode(error: unknown, path: string): unknown {
  return isBusy(error) ? error : storageError(error, path)
}

type Method = (...values: unknown[]) => unknown

/** Adds error codes to ports that do not use `cachedStatements`. */
export function codedPort<T extends object>(port: T, path: string): T {
  return Object.fromEntries(Object.entries(port).map(([name, part]) => [name, codedPart(part, path)])) as T
}

function codedPart(part: unknown, path: string): unknown {
  if (typeof part === 'object' && part !== null) return codedPort(part, path)
  if (typeof part !== 'function') return part
  return (...values: unknown[]) => {
    try {
      const result = (part as Method)(...values)
      if (!(result instanceof Promise)) return result
      return result.catch((error: unknown) => {
        throw withCode(error, path)
      })
    } catch (error) {
      throw withCode(error, path)
    }
  }
}
