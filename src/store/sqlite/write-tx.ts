import type Database from 'better-sqlite3'
import type { Clock } from '../../core/clock.ts'
import type { WriteTx } from '../store.ts'
import { kysely } from './kysely.ts'
import { agentRows } from './rows/agent-rows.ts'
import { chunkRows } from './rows/chunk-rows.ts'
import { workRows } from './rows/work-rows.ts'
import { vectorRows } from './vectors/vector-rows.ts'
import { whenAsked } from './when-asked.ts'

export function writeTx(writer: Database.Database, clock: Clock): WriteTx {
  const [db, agents, chunks] = [whenAsked(() => kysely(writer)), whenAsked(() => agentRows(writer)), whenAsked(() => chunkRows(writer))]
  return {
    get db() {
      return db()
    },
    get agents() {
      return agents()
    },
    get chunks() {
      return chunks()
    },
    vectors: vectorRows(writer, clock),
    work: workRows(writer),
    attempt: attempt(writer),
  }
}

function attempt(db: Database.Database): WriteTx['attempt'] {
  return async (work) => {
    db.exec('savepoint attempt')
    try {
      return await work()
    } catch (error) {
      db.exec('rollback to attempt')
      throw error
    } finally {
      if (db.inTransaction) db.exec('release attempt')
    }
  }
}
