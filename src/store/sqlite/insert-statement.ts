/** An insert for all columns of a table, prepared once; what a row leaves out gets the column's default. */
import type Database from 'better-sqlite3'

export function insertStatement(db: Database.Database, table: string): (row: object) => number {
  const columns = db.pragma(`table_info(${table})`) as { name: string; dflt_value: string | null }[]
  const names = columns.map((column) => column.name)
  const values = columns.map(({ name, dflt_value }) => (dflt_value === null ? `@${name}` : `coalesce(@${name}, ${dflt_value})`))
  const statement = db.prepare(`insert into ${table} (${names.join(', ')}) values (${values.join(', ')})`)
  const blank = Object.fromEntries(names.map((name) => [name, null]))
  return (row) => Number(statement.run({ ...blank, ...row }).lastInsertRowid)
}
