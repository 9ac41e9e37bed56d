/** Nexus: its agents ledger (SQLite, followed by history) and pi session files. */
import { basename } from 'node:path'
import type { SourceDatabase } from '../../store/source-database.ts'
import type { Adapter, DiscoverOptions, SourceUnit, UnitReader } from '../adapter.ts'
import { databaseUnit, isSqlite } from '../database-unit.ts'
import { isJsonl, sourceFiles } from '../walk.ts'
import { describeSource, type SourceOptions } from './descriptions.ts'
import { readLedger } from './nexus/read-ledger.ts'
import { type Dialect, piDialect } from './pi/dialect.ts'
import { beginsWithHeader, isNexusPath, sessionAge } from './pi/header.ts'
import { readResumedFile } from './pi/read-session-file.ts'

export function nexus(options: SourceOptions = {}): Adapter {
  const description = describeSource('nexus', options)
  return {
    ...description,
    discover: (asked) => discover(description.defaultPaths(), asked),
    recognises,
    recognisesDatabase,
    age,
    read: (unit, since, reader) =>
      isJsonl(unit.path) ? readResumedFile(unit, since, { reader, dialect: dialectOf(unit.path) }) : readLedger(unit, since, reader),
  }
}

const DATABASE = /\.(?:db|sqlite|sqlite3)$/i

async function* discover(roots: readonly string[], asked: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  // By default only the ledger: the state folder also has databases with keys and grants.
  const own = (file: string) => basename(file) === 'agents.db' || (isJsonl(file) && /[\\/]sessions[\\/]/.test(file))
  const any = (file: string) => DATABASE.test(file) || isJsonl(file)
  for await (const unit of sourceFiles(roots, asked, asked.path === undefined ? own : any)) {
    yield isJsonl(unit.path) ? unit : (databaseUnit(unit.path) ?? unit)
  }
}

function recognises(head: Buffer, path: string): boolean {
  if (!isSqlite(head)) return isNexusPath(path) && beginsWithHeader(head)
  // If the schema is still in the WAL, the file name decides.
  const schema = head.toString('latin1')
  const has = (table: string) => new RegExp(`CREATE TABLE ["'\`[]?${table}\\b`, 'i').test(schema)
  if (has('agent_sessions')) return false
  const tables = has('sessions') && has('turns') && has('messages')
  return (tables && (has('session_history') || schema.includes('parent_turn_id'))) || (isNexusPath(path) && basename(path) === 'agents.db')
}

/** Table names are common, so require that turns link to each other. */
function recognisesDatabase(database: SourceDatabase): boolean {
  const tables = database.tables()
  if (tables.has('agent_sessions') || !['sessions', 'turns', 'messages'].every((table) => tables.has(table))) return false
  return tables.has('session_history') || database.columns('turns').has('parent_turn_id')
}

/** The ledger precedes files with the same content. */
async function age(unit: SourceUnit, reader: UnitReader, at: 'begin' | 'end'): Promise<number> {
  return isJsonl(unit.path) ? sessionAge(unit, reader, at) : 0
}

const AGENT = /[\\/]agents[\\/]([^\\/]+)[\\/]/

function dialectOf(path: string): Dialect {
  const agentId = AGENT.exec(path)?.[1]
  return agentId === undefined ? piDialect : { ...piDialect, facts: { agentId } }
}
