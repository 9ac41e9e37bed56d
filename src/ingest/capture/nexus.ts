/** Nexus: its agents ledger, a SQLite file that is followed by its history, and pi session files in its state folder. Reads, never writes. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import type { SourceDatabase } from '../../store/source-database.ts'
import type { Adapter, DiscoverOptions, SourceUnit, UnitReader } from '../adapter.ts'
import { databaseUnit } from '../database-unit.ts'
import { walk } from '../walk.ts'
import { readLedger } from './nexus/read-ledger.ts'
import { sessionAge } from './pi/age.ts'
import { type Place, plainPlace } from './pi/dialect.ts'
import { beginsWithHeader } from './pi/record-types.ts'
import { readResumedFile } from './pi/resumed-file.ts'
import { isNexusPlace } from './pi/whose-file.ts'

export interface NexusOptions {
  /** State folders, instead of the default ones. */
  readonly places?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly homedir?: string
}

export function nexus(options: NexusOptions = {}): Adapter {
  const places = () => options.places ?? defaultPlaces(options.env ?? process.env, options.homedir ?? homedir())
  return {
    name: 'nexus',
    reads: 1,
    rewritten: true,
    places,
    discover: (asked) => discover(places(), asked),
    recognises,
    knows,
    age,
    read: (unit, since, reader) =>
      isSessionFile(unit.path) ? readResumedFile(unit, since, { reader, place: placeOf(unit.path) }) : readLedger(unit, since, reader),
  }
}

/** The same on every system. */
function defaultPlaces(env: NodeJS.ProcessEnv, home: string): string[] {
  const state = env.NEXUS_STATE_DIR?.trim()
  if (state) return [state]
  const root = env.NEXUS_ROOT?.trim()
  return root ? [join(root, 'state')] : [join(home, 'nexus', 'state'), join(home, '.nexus', 'state')]
}

const DATABASE = /\.(?:db|sqlite|sqlite3)$/i

function isSessionFile(path: string): boolean {
  return path.toLowerCase().endsWith('.jsonl')
}

async function* discover(places: readonly string[], { path, warn }: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  const roots = path === undefined ? places.filter((place) => existsSync(place)) : [path]
  // Where nobody named a path, only the ledger: the state folder holds other databases, with keys and grants in them.
  const ledger = path === undefined ? (file: string) => basename(file) === 'agents.db' : (file: string) => DATABASE.test(file)
  const session = (file: string) => isSessionFile(file) && (path !== undefined || /[\\/]sessions[\\/]/.test(file))
  for (const root of roots) {
    for await (const unit of walk(root, { accept: (file) => ledger(file) || session(file), warn })) {
      yield isSessionFile(unit.path) ? unit : (databaseUnit(unit.path) ?? unit)
    }
  }
}

const SQLITE = 'SQLite format 3\0'

function recognises(head: Buffer, path: string): boolean {
  const isDatabase = head.subarray(0, SQLITE.length).toString('latin1') === SQLITE
  if (!isDatabase) return isNexusPlace(path) && beginsWithHeader(head.toString('utf8'))
  // The schema stands in the first pages; with all of it still in the log, the file's own name must do.
  const schema = head.toString('latin1')
  const has = (table: string) => new RegExp(`CREATE TABLE ["'\`[]?${table}\\b`, 'i').test(schema)
  if (has('agent_sessions')) return false
  const tables = has('sessions') && has('turns') && has('messages')
  return (tables && (has('session_history') || schema.includes('parent_turn_id'))) || (isNexusPlace(path) && basename(path) === 'agents.db')
}

/** Three tables of such common names are a ledger's only where a turn follows another. */
function knows(database: SourceDatabase): boolean {
  const tables = database.tables()
  if (tables.has('agent_sessions') || !['sessions', 'turns', 'messages'].every((table) => tables.has(table))) return false
  return tables.has('session_history') || database.columns('turns').has('parent_turn_id')
}

/** The ledger first: it is older than any file beside it that says the same. */
async function age(unit: SourceUnit, reader: UnitReader, at: 'begin' | 'end'): Promise<number> {
  return isSessionFile(unit.path) ? sessionAge(unit, reader, at) : 0
}

const AGENT = /[\\/]agents[\\/]([^\\/]+)[\\/]/

function placeOf(path: string): Place {
  const agentId = AGENT.exec(path)?.[1]
  return agentId === undefined ? plainPlace : { ...plainPlace, facts: { agentId } }
}
