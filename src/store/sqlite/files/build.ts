import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'

export function buildDatabase(path: string, statements: string): void {
  const db = new Database(path)
  try {
    db.exec(readFileSync(statements, 'utf8'))
  } finally {
    db.close()
  }
}
