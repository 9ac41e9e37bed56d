/** The same text is the same statement: prepared once, used again. What Kysely writes repeats itself for every unit and session. */
import type Database from 'better-sqlite3'
import type { SqliteDatabase } from 'kysely'

const MOST = 300

export function cachedStatements(db: Database.Database): SqliteDatabase {
  const statements = new Map<string, Database.Statement>()
  return {
    close: () => void db.close(),
    prepare(sql) {
      const known = statements.get(sql)
      // One that is being stepped through cannot be started again; it gets a twin.
      if (known !== undefined && !known.busy) return known
      const made = db.prepare(sql)
      if (statements.size >= MOST) statements.delete(statements.keys().next().value as string)
      statements.set(sql, made)
      return made
    },
  }
}
