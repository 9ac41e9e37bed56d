/** Searches every table, column and type, even of newer schemas. */
import Database from 'better-sqlite3'

export interface Held {
  readonly column: string
  readonly value: string
}

export function rowsThatHold(database: string, word: string): Held[] {
  const db = new Database(database, { readonly: true })
  try {
    const tables = db.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[]
    return tables.flatMap((table) => heldIn(db, table, word.toLowerCase()))
  } finally {
    db.close()
  }
}

function heldIn(db: Database.Database, table: string, word: string): Held[] {
  const rows = db.prepare(`select * from "${table}"`).all() as Record<string, unknown>[]
  return rows.flatMap((row) =>
    Object.entries(row).flatMap(([column, value]) => {
      const text = Buffer.isBuffer(value) ? value.toString('latin1') : String(value)
      return text.toLowerCase().includes(word) ? [{ column: `${table}.${column}`, value: text.slice(0, 200) }] : []
    }),
  )
}
