import { createRequire } from 'node:module'
import type Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import type { RunsAtOnce } from '../compiled-once.ts'
import type { Tables } from '../tables.ts'
import { cachedStatements } from './statements.ts'

const require = createRequire(import.meta.url)

/** Loaded on first use: its 280 files take longer to load than a search takes. */
export function kysely(db: Database.Database): Kysely<Tables> {
  const { Kysely, SqliteDialect } = require('kysely') as typeof import('kysely')
  const database = cachedStatements(db)
  const atOnce: RunsAtOnce = {
    runAtOnce(sql, parameters) {
      const statement = database.prepare(sql)
      if (statement.reader) return statement.all(parameters)
      statement.run(parameters)
      return []
    },
  }
  return Object.assign(new Kysely<Tables>({ dialect: new SqliteDialect({ database }) }), atOnce)
}
