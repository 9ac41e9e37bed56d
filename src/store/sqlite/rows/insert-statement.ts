import type Database from 'better-sqlite3'

export interface InsertOptions {
  /** Rows per statement; must be a power of two. */
  readonly atOnce: number
  readonly keepOld?: boolean
}

/** All rows must have the first row's columns. Returns the last row's key. */
export type Insert = (rows: readonly object[]) => number

export function insertStatement(db: Database.Database, table: string, { atOnce, keepOld = false }: InsertOptions): Insert {
  const statements = new Map<string, Database.Statement>()
  function statement(columns: string, width: number, count: number): Database.Statement {
    const key = `${count} ${columns}`
    const known = statements.get(key)
    if (known !== undefined) return known
    const one = `(${new Array(width).fill('?').join(', ')})`
    const made = db.prepare(
      `insert ${keepOld ? 'or ignore ' : ''}into ${table} (${columns}) values ${new Array(count).fill(one).join(', ')}`,
    )
    statements.set(key, made)
    return made
  }
  return (rows) => {
    const columns = Object.keys(rows[0] ?? {})
    const names = columns.join(', ')
    let last = 0
    for (let i = 0; i < rows.length; ) {
      // Powers of two keep the number of prepared statements small.
      const count = Math.min(atOnce, 2 ** Math.floor(Math.log2(rows.length - i)))
      const values: unknown[] = []
      for (const end = i + count; i < end; i++) {
        const row = rows[i] as Record<string, unknown>
        for (const column of columns) values.push(row[column])
      }
      last = Number(statement(names, columns.length, count).run(values).lastInsertRowid)
    }
    return last
  }
}
