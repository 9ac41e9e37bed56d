/** The same text is the same statement: prepared once for a connection. */
import type Database from 'better-sqlite3'

export type Prepare = (sql: string) => Database.Statement

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
