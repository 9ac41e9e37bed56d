/** Turns in a tree, sessions that point at one, a history of the pointers. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { nexus } from '../../../src/ingest/capture/nexus.ts'
import type { Exchange, SampleSource } from '../sample-source.ts'

const SCHEMA = `
  create table if not exists turns (id text primary key, parent_turn_id text, turn_type text not null default 'normal',
    status text not null default 'completed', started_at integer not null, completed_at integer, model text, provider text, role text,
    input_tokens integer, output_tokens integer, total_tokens integer, source_event_id text, workspace_path text);
  create table if not exists threads (turn_id text primary key, ancestry text, total_tokens integer, depth integer, persona_id text);
  create table if not exists sessions (label text primary key, thread_id text not null, persona_id text not null,
    is_subagent integer default 0, parent_session_label text, parent_turn_id text, spawn_tool_call_id text, task_description text,
    task_status text, routing_key text, origin text, origin_session_id text, created_at integer not null, updated_at integer not null,
    status text not null default 'active');
  create table if not exists messages (id text primary key, turn_id text not null, role text not null, content text, source text,
    sequence integer not null, created_at integer not null, thinking text, context_json text, metadata_json text);
  create table if not exists tool_calls (id text primary key, turn_id text not null, message_id text, tool_name text not null,
    params_json text not null, result_json text, error text, status text not null default 'pending', spawned_session_label text,
    started_at integer not null, completed_at integer, sequence integer not null);
  create table if not exists compactions (turn_id text primary key, summary text not null, summarized_through_turn_id text not null,
    first_kept_turn_id text, model text not null, tokens_before integer, trigger text, metadata_json text);
  create table if not exists session_history (id integer primary key autoincrement, session_label text not null, thread_id text not null,
    changed_at integer not null);
  create index if not exists idx_messages_turn on messages (turn_id, sequence);
  create index if not exists idx_tool_calls_turn on tool_calls (turn_id, sequence);
  create index if not exists idx_session_history_thread on session_history (thread_id);
  create index if not exists idx_session_history_label on session_history (session_label, changed_at);`

/** The caller closes it. */
export function openNexus(root: string): Database.Database {
  const folder = join(root, 'data')
  mkdirSync(folder, { recursive: true })
  const db = new Database(join(folder, 'agents.db'))
  db.pragma('journal_mode = wal')
  db.exec(SCHEMA)
  return db
}

type Row = Readonly<Record<string, string | number | null>>

export function put(db: Database.Database, table: string, row: Row): void {
  const columns = Object.keys(row)
  const marks = columns.map(() => '?').join(', ')
  db.prepare(`insert or replace into ${table} (${columns.join(', ')}) values (${marks})`).run(...Object.values(row))
}

export interface SampleTurn {
  readonly id: string
  readonly parent?: string
  readonly exchange: Exchange
}

/** The session must exist; it moves to the turn. */
export function putTurn(db: Database.Database, session: string, { id, parent, exchange }: SampleTurn): void {
  const { prompt, answer, at, tool } = exchange
  put(db, 'turns', { id, parent_turn_id: parent ?? null, started_at: at, completed_at: at + 3000, model: 'acme-1', input_tokens: 9 })
  put(db, 'threads', { turn_id: id, ancestry: null, depth: 1 })
  const message = { turn_id: id, created_at: at }
  put(db, 'messages', { ...message, id: `${id}-u`, role: 'user', content: prompt, source: 'human', sequence: 1 })
  put(db, 'messages', { ...message, id: `${id}-a`, role: 'assistant', content: answer, sequence: 2, created_at: at + 3000 })
  if (tool) {
    put(db, 'tool_calls', {
      ...{ id: `${id}-t`, turn_id: id, message_id: `${id}-a`, tool_name: tool.name, params_json: JSON.stringify(tool.params) },
      ...{ result_json: JSON.stringify(tool.result), status: 'completed', started_at: at + 1000, completed_at: at + 2000, sequence: 1 },
    })
  }
  moveTo(db, session, id, at)
}

export function moveTo(db: Database.Database, session: string, turn: string, at: number): void {
  db.prepare('update sessions set thread_id = ?, updated_at = ? where label = ?').run(turn, at, session)
  db.prepare('insert into session_history (session_label, thread_id, changed_at) values (?, ?, ?)').run(session, turn, at)
}

export function putSession(db: Database.Database, label: string, more: Row = {}): void {
  put(db, 'sessions', { label, thread_id: '', persona_id: 'main', created_at: 1_700_000_000_000, updated_at: 1_700_000_000_000, ...more })
}

export const nexusSource: SampleSource = {
  name: 'nexus',
  kind: 'database',
  adapter: (root) => nexus({ paths: [root] }),
  write(root, session, exchanges) {
    const db = openNexus(root)
    const name = (n: number) => `${session}-${String(n).padStart(6, '0')}`
    db.transaction(() => {
      const has = db.prepare('select 1 from sessions where label = ?').get(session) !== undefined
      if (!has) putSession(db, session, { created_at: exchanges[0]?.at ?? 0 })
      const stored = db.prepare('select count(*) as n from turns where id like ?').pluck().get(`${session}-%`) as number
      for (let n = exchanges.length; n < stored; n += 1) {
        for (const table of ['messages', 'tool_calls']) db.prepare(`delete from ${table} where turn_id = ?`).run(name(n))
        db.prepare('delete from session_history where thread_id = ?').run(name(n))
        db.prepare('delete from turns where id = ?').run(name(n))
        db.prepare('update sessions set thread_id = ? where label = ?').run(name(exchanges.length - 1), session)
      }
      exchanges.forEach((exchange, n) => {
        if (n >= stored) putTurn(db, session, { id: name(n), exchange, ...(n === 0 ? {} : { parent: name(n - 1) }) })
      })
    })()
    db.close()
    return join(root, 'data', 'agents.db')
  },
}
