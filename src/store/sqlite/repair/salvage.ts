/** If part of the index is lost, empties all of it: half an index answers wrongly, and `index` rebuilds it. */
import Database from 'better-sqlite3'
import * as sqliteVec from 'sqlite-vec'
import type { Clock } from '../../../core/clock.ts'
import type { Salvaged, SalvagedTable } from '../../database-file.ts'
import { META } from '../../meta.ts'
import { createSchema, migrationNames, newer } from '../migrate/migrate.ts'
import { isDamage } from '../storage-error.ts'
import { readDamagedTable } from './damaged-table.ts'
import { mendReferences } from './mend-references.ts'
import { openPages } from './pages.ts'

/** Derived together; useless alone. */
const INDEX = ['index_files', 'index_chunks', 'index_events', 'index_state', 'chunk_signs', 'chunk_shadow', 'chunk_context_waiting']
const WORK = ['work_calls', 'work_files', 'work_names']
const WORK_TEXT = ['work_fts_config', 'work_fts_data', 'work_fts_docsize', 'work_fts_idx']
const VECTORS = ['vectors', 'vector_owners', 'token_bits']
/** A lost row on the left empties every table on the right. */
const EMPTIED_WITH: readonly (readonly [lost: readonly string[], emptied: readonly string[]])[] = [
  [[...INDEX, ...VECTORS], INDEX],
  [[...WORK, ...WORK_TEXT], WORK],
  [['index_sessions'], [...INDEX, ...WORK, 'index_sessions']],
  [['index_words'], [...INDEX, ...WORK, ...VECTORS, 'extractions', 'index_words']],
]
const OF_INDEX: ReadonlySet<string> = new Set([...EMPTIED_WITH.flatMap(([lost, emptied]) => [...lost, ...emptied]), 'chunk_sign_changes'])
/** If rows of these are lost, the next sync rereads the sources. */
const LEDGER = /^(agent_|events$|threads$|event_people$|contacts$|series_parts$|documents$)/

/** `damaged` must be closed, without WAL; `staged` must not exist. */
export function salvage(damaged: string, staged: string, clock: Clock): Salvaged {
  const db = new Database(staged)
  try {
    sqliteVec.load(db)
    db.unsafeMode(true) // allows writing FTS shadow tables
    db.prepare('attach ? as damaged').run(damaged)
    for (const pragma of ['journal_mode = memory', 'synchronous = off', 'foreign_keys = off', 'temp_store = memory']) db.pragma(pragma)
    db.pragma(`main.page_size = ${db.pragma('damaged.page_size', { simple: true })}`)
    createSchema(db, migrationsOf(db, damaged), clock)
    db.exec('begin')
    const triggers = dropTriggers(db)
    const tables = copyTables(db, damaged)
    const emptied = emptyGroups(db, lossesOf(tables))
    const references = mendReferences(db)
    if (isReadAgain(lossesOf(tables))) db.exec('delete from sync_state')
    settleMeta(db, { emptied, lost: lossesOf(tables) })
    db.exec("insert into chunks_fts (chunks_fts) values ('rebuild')")
    for (const sql of triggers) db.exec(sql)
    db.exec('commit')
    return { tables: tables.filter(({ lost }) => lost !== 0), emptied, ...references }
  } finally {
    db.close()
  }
}

/** Without the stored record names, rereading would duplicate messages. */
function isReadAgain(lost: readonly string[]): boolean {
  return lost.some((name) => LEDGER.test(name)) && !lost.includes('agent_records')
}

function lossesOf(tables: readonly SalvagedTable[]): string[] {
  return tables.filter(({ lost }) => lost !== 0).map(({ name }) => name)
}

function migrationsOf(db: Database.Database, path: string): string[] {
  const known = migrationNames()
  let applied: string[]
  try {
    applied = db.prepare('select name from damaged.schema_migrations order by name').pluck().all() as string[]
  } catch (error) {
    if (!isDamage(error)) throw error
    return known
  }
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw newer(path, unknown)
  return applied
}

function dropTriggers(db: Database.Database): string[] {
  const triggers = db.prepare("select name, sql from main.sqlite_master where type = 'trigger'").all() as { name: string; sql: string }[]
  for (const { name } of triggers) db.exec(`drop trigger main.${name}`)
  return triggers.map(({ sql }) => sql)
}

function copyTables(db: Database.Database, damaged: string): SalvagedTable[] {
  // chunks_fts is rebuilt from chunks; createSchema wrote schema_migrations.
  const names = db
    .prepare(`select name from pragma_table_list where schema = 'main' and type in ('table', 'shadow') and name not like 'chunks\\_fts%' escape '\\'
      and name not in ('sqlite_schema', 'schema_migrations') order by name = 'sqlite_sequence', name`)
    .pluck()
    .all() as string[]
  const pages = openPages(damaged)
  const unreadable = damagedTables(damaged)
  try {
    return names.map((name) => {
      db.exec(`delete from main.${name}`)
      return (unreadable.has(name) ? undefined : copyWhole(db, name)) ?? readDamagedTable(db, name, pages)
    })
  } finally {
    pages.close()
  }
}

/** Uses its own connection: after meeting a damaged page, one refuses other tables too. */
function damagedTables(path: string): Set<string> {
  const db = new Database(path, { readonly: true })
  try {
    const names = db
      .prepare("select name from pragma_table_list where schema = 'main' and type in ('table', 'shadow')")
      .pluck()
      .all() as string[]
    return new Set(names.filter((name) => !isWhole(db, name)))
  } finally {
    db.close()
  }
}

function isWhole(db: Database.Database, table: string): boolean {
  try {
    if (db.pragma(`quick_check("${table}")`, { simple: true }) === 'ok') return true
    // The damage may be only in an index, which is not read.
    for (const _ of db.prepare(`select * from "${table}" not indexed`).iterate());
    return true
  } catch (error) {
    if (!isDamage(error)) throw error
    return false
  }
}

/** Undefined if rows violate the schema: our programs did not write them. */
function copyWhole(db: Database.Database, name: string): SalvagedTable | undefined {
  const columns = db.prepare('select name from pragma_table_info(?)').pluck().all(name) as string[]
  const list = columns.map((column) => `"${column}"`).join(', ')
  try {
    db.exec(`insert into main.${name} (${list}) select ${list} from damaged.${name} not indexed`)
    return { name, kept: 0, lost: 0, names: [] }
  } catch (error) {
    if (!isDamage(error)) throw error
    return undefined
  }
}

function emptyGroups(db: Database.Database, lost: readonly string[]): string[] {
  const emptied = new Set<string>()
  for (const [ofThese, tables] of EMPTIED_WITH)
    if (ofThese.some((name) => lost.includes(name))) for (const name of tables) emptied.add(name)
  // A sound index would still contain chunks of lost turns.
  if (lost.some((name) => LEDGER.test(name))) for (const name of [...INDEX, ...WORK]) emptied.add(name)
  const work = emptied.has('work_calls') || !isWorkTextWhole(db)
  if (work) for (const name of WORK) emptied.add(name)
  for (const name of emptied) db.exec(`delete from main.${name}`)
  if (work) {
    for (const name of WORK_TEXT) db.exec(`delete from main.${name}`)
    db.exec("insert into work_fts_config (k, v) values ('version', 4)")
    db.exec("insert into work_fts (work_fts) values ('delete-all')")
    db.exec('insert or ignore into work_waiting (session_id) select distinct session_id from agent_tool_calls')
  }
  return [...emptied].sort()
}

function isWorkTextWhole(db: Database.Database): boolean {
  try {
    db.exec("insert into work_fts (work_fts) values ('integrity-check')")
    return true
  } catch (error) {
    if (!isDamage(error)) throw error
    return false
  }
}

function settleMeta(db: Database.Database, { emptied, lost }: { emptied: readonly string[]; lost: readonly string[] }): void {
  const drop = (pattern: string) => db.prepare('delete from meta where key glob ?').run(pattern)
  const isLost = (...names: string[]) => names.some((name) => lost.includes(name))
  if (emptied.includes('index_files') || isLost('sqlite_sequence', 'agent_session_history', 'documents', 'episodes'))
    drop('memory_*_cursor_v1*')
  if (emptied.includes('index_files')) drop('index_identity')
  if (emptied.includes('work_calls')) drop('work_identity')
  if (isLost('tombstones', 'meta')) drop('tombstone_mark')
  const needs = lost.some((name) => !OF_INDEX.has(name)) ? 'rebuild' : emptied.length > 0 ? 'index' : undefined
  if (needs !== undefined) db.prepare('insert or replace into meta (key, value) values (?, ?)').run(META.repairPending, needs)
  // These failures came from the damage.
  db.exec("delete from jobs where status = 'failed' and error_code in ('STORAGE_ERROR', 'NOT_A_DATABASE')")
  // Leaves a gap in the change log, so that processes reload all vectors.
  db.exec(`insert into chunk_sign_changes (number, chunk_id) select coalesce(max(number), 0) + 1000000, 0 from chunk_sign_changes;
    delete from chunk_sign_changes where number < (select max(number) from chunk_sign_changes)`)
}
