/** Inserts into a table, prepared once for each set of columns that rows come with; what a row leaves out gets its default. */
import type Database from 'better-sqlite3'

export function insertStatement(db: Database.Database, table: string): (row: object) => number {
  const statements = new Map<string, Database.Statement>()
  return (row) => {
    const columns = Object.keys(row).join(', ')
    let statement = statements.get(columns)
    if (statement === undefined) {
      const places = columns.replace(/\w+/g, '?')
      statement = db.prepare(`insert into ${table} (${columns}) values (${places})`)
      statements.set(columns, statement)
    }
    return Number(statement.run(Object.values(row)).lastInsertRowid)
  }
}
