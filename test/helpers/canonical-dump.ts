/** Content of a ledger and its index without clocks and integer keys: equal dumps mean equal memory. */
import { createHash } from 'node:crypto'
import Database from 'better-sqlite3'
import * as sqliteVec from 'sqlite-vec'

const TABLES = [
  'agent_sessions',
  'agent_messages',
  'agent_records',
  'agent_turns',
  'agent_tool_calls',
  'agent_session_history',
  'agent_compactions',
  'agent_pending_titles',
  'events',
  'event_people',
  'threads',
  'contacts',
  'mail_waiting',
  'series_parts',
  'episodes',
  'episode_events',
  'episode_members',
  'episode_waiting',
  'episode_sessions_waiting',
  'derived_sources',
  'derived_waiting',
  'decisions',
  'decision_terms',
  'decision_links',
  'decisions_waiting',
  'discussions',
  'discussion_terms',
  'discussion_waiting',
  'project_facts',
  'fact_waiting',
  'command_runs',
  'failures',
  'failure_waiting',
  'analysis_runs',
  'facets',
  'entities',
  'entity_aliases',
  'relationships',
  'merge_candidates',
  'graph_decisions',
  'graph_owner_aliases',
  'graph_types',
  'graph_splits',
  'graph_waiting',
  'episode_entity_mentions',
  'episode_relationship_mentions',
  'pattern_events',
  'pattern_waiting',
  'llm_answers',
  'work',
  'files',
  'chunks',
  'chunks_vocab',
  'extraction_cache',
  'index_state',
  'sync_state',
  'quarantine',
] as const

/** Clocks, integer keys and later embeddings. Omits `meta`, whose cursors are integer keys. */
const LEFT_OUT: Record<string, readonly string[]> = {
  agent_session_history: ['id', 'created_at'],
  episodes: ['revision', 'created_at'],
  series_parts: ['revision'],
  analysis_runs: ['started_at', 'completed_at', 'created_at', 'holder', 'held_until', 'revision'],
  facets: ['created_at'],
  entities: ['embed_status'],
  relationships: ['recorded_at'],
  merge_candidates: ['created_at', 'updated_at'],
  llm_answers: ['created_at'],
  work: ['id'],
  files: ['id', 'updated_at'],
  chunks: ['id', 'created_at', 'embed_status', 'vector_number'],
  index_state: ['last_indexed'],
  sync_state: ['updated_at'],
  quarantine: ['first_seen', 'last_seen'],
}

export function canonicalDump(path: string): Record<string, { rows: number; hash: string }> {
  return withDatabase(path, (db) => {
    db.exec("insert into chunks_fts (chunks_fts, rank) values ('integrity-check', 1)")
    const dump: Record<string, { rows: number; hash: string }> = {}
    for (const table of TABLES) {
      const rows = comparableRows(db, table)
      const hash = createHash('sha256')
      for (const row of rows) hash.update(row).update('\n')
      dump[table] = { rows: rows.length, hash: hash.digest('hex') }
    }
    return dump
  })
}

/** Up to ten rows per table that only one database has: the cause of a difference. */
export function differingRows(expected: string, actual: string): Record<string, { missing: string[]; extra: string[] }> {
  const found: Record<string, { missing: string[]; extra: string[] }> = {}
  for (const table of TABLES) {
    const [left, right] = [expected, actual].map((path) => withDatabase(path, (db) => comparableRows(db, table))) as [string[], string[]]
    const [inLeft, inRight] = [new Set(left), new Set(right)]
    const missing = left.filter((row) => !inRight.has(row)).slice(0, 10)
    const extra = right.filter((row) => !inLeft.has(row)).slice(0, 10)
    if (missing.length + extra.length > 0) found[table] = { missing, extra }
  }
  return found
}

function comparableRows(db: Database.Database, table: string): string[] {
  const rows = db.prepare(`select * from ${table}`).all() as Record<string, unknown>[]
  return rows
    .map((row) => {
      for (const column of LEFT_OUT[table] ?? []) delete row[column]
      return JSON.stringify(row)
    })
    .sort()
}

function withDatabase<Result>(path: string, use: (db: Database.Database) => Result): Result {
  const db = new Database(path)
  sqliteVec.load(db)
  try {
    return use(db)
  } finally {
    db.close()
  }
}
