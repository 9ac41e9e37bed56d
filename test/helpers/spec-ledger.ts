/** Made by the specification's SQL, word for word, without further columns. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { tempFolder } from './store.ts'

export const SPEC_SQL = `
CREATE TABLE agent_sessions (
    id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, project TEXT, created_at INTEGER, message_count INTEGER,
    parent_session_id TEXT REFERENCES agent_sessions(id), parent_message_id TEXT, tool_call_id TEXT, task_description TEXT, task_status TEXT,
    is_subagent INTEGER DEFAULT 0, context_token_limit INTEGER, context_tokens_used INTEGER, is_agentic INTEGER DEFAULT 0, force_mode TEXT,
    workspace_path TEXT, context_json TEXT, conversation_state TEXT, raw_json TEXT
);
CREATE TABLE agent_messages (
    id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES agent_sessions(id), role TEXT NOT NULL, content TEXT, sequence INTEGER,
    timestamp INTEGER, checkpoint_id TEXT, is_agentic INTEGER DEFAULT 0, is_plan_execution INTEGER DEFAULT 0, context_json TEXT,
    cursor_rules_json TEXT, metadata_json TEXT
);
CREATE TABLE agent_turns (
    id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES agent_sessions(id), parent_turn_id TEXT REFERENCES agent_turns(id),
    query_message_ids TEXT, response_message_id TEXT REFERENCES agent_messages(id), model TEXT, token_count INTEGER, timestamp INTEGER,
    has_children INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0
);
CREATE TABLE agent_tool_calls (
    id TEXT PRIMARY KEY, message_id TEXT REFERENCES agent_messages(id), session_id TEXT NOT NULL REFERENCES agent_sessions(id),
    tool_name TEXT, tool_number INTEGER, params_json TEXT, result_json TEXT, status TEXT,
    child_session_id TEXT REFERENCES agent_sessions(id), started_at INTEGER, completed_at INTEGER
);`

export const SPEC_TABLES = ['agent_sessions', 'agent_messages', 'agent_turns', 'agent_tool_calls'] as const
export type SpecRow = Readonly<Record<string, string | number | null>>

export interface SpecLedger {
  readonly path: string
  readonly rows: Readonly<Record<(typeof SPEC_TABLES)[number], readonly SpecRow[]>>
  columns(table: (typeof SPEC_TABLES)[number]): string[]
  change(sql: string): void
}

const T = 1_770_292_800_000

/** Has a subagent, a branch and a call without a message; every column is filled somewhere. */
export function specLedger(path = join(tempFolder(), 'agents.db')): SpecLedger {
  const db = new Database(path)
  db.exec(SPEC_SQL)
  const rows: Record<(typeof SPEC_TABLES)[number], SpecRow[]> = {
    agent_sessions: [
      {
        ...{ id: 's1', source: 'windsurf', model: 'm-session', project: '/home/dev/atlas', created_at: T - 5_000, message_count: 6 },
        ...{ parent_session_id: null, parent_message_id: null, tool_call_id: null, task_description: null, task_status: null },
        ...{ is_subagent: 0, context_token_limit: 200_000, context_tokens_used: 1_234, is_agentic: 1, force_mode: 'edit' },
        ...{ workspace_path: '/home/dev/atlas/app', context_json: '{"branch":"main"}', conversation_state: 'paused' },
        raw_json: '{"name":"the header","n":1}',
      },
      {
        ...{ id: 's2', source: 'windsurf', model: 'm-child', project: '/home/dev/atlas', created_at: T + 2_500, message_count: 2 },
        ...{
          parent_session_id: 's1',
          parent_message_id: 'a1',
          tool_call_id: 'c1',
          task_description: 'Count the harbours',
          task_status: 'success',
        },
        ...{ is_subagent: 1, context_token_limit: null, context_tokens_used: null, is_agentic: 0, force_mode: null },
        ...{ workspace_path: null, context_json: null, conversation_state: null, raw_json: null },
      },
    ],
    agent_messages: [
      message('q1', 's1', 'user', 'How many harbours?', 10, T, {
        checkpoint_id: 'cp-1',
        context_json: '{"files":["a.ts"]}',
        cursor_rules_json: '["terse"]',
      }),
      message('a1', 's1', 'assistant', 'I will count them.', 20, T + 1_000, {
        is_agentic: 1,
        is_plan_execution: 1,
        metadata_json: '{"usage":{"input_tokens":7}}',
      }),
      message('q2', 's1', 'user', 'And lighthouses?', 30, T + 60_000),
      message('a2', 's1', 'assistant', 'Four lighthouses.', 40, T + 61_000),
      message('q3', 's1', 'user', 'And piers instead?', 50, T + 120_000),
      message('a3', 's1', 'assistant', 'Nine piers.', 60, T + 121_000),
      message('k1', 's2', 'user', 'Count the harbours', 1, T + 3_000),
      message('k2', 's2', 'assistant', 'There are three.', 2, T + 4_000),
    ],
    agent_turns: [
      turn('a1', 's1', null, ['q1'], 'a1', {
        model: 'm-turn-1',
        token_count: 4_001,
        timestamp: T + 1,
        has_children: 1,
        tool_call_count: 2,
      }),
      turn('a2', 's1', 'a1', ['q2'], 'a2', {
        model: 'm-turn-2',
        token_count: 4_002,
        timestamp: T + 60_001,
        has_children: 0,
        tool_call_count: 0,
      }),
      turn('a3', 's1', 'a1', ['q3'], 'a3', {
        model: 'm-turn-3',
        token_count: 4_003,
        timestamp: T + 120_001,
        has_children: 0,
        tool_call_count: 0,
      }),
      turn('k2', 's2', null, ['k1'], 'k2', {
        model: 'm-turn-4',
        token_count: 4_004,
        timestamp: T + 3_001,
        has_children: 0,
        tool_call_count: 0,
      }),
    ],
    agent_tool_calls: [
      call('c1', 'a1', 's1', 'task', 7, '{"prompt":"Count"}', '"three"', 'completed', 's2', T + 2_000, T + 5_000),
      call('c2', 'a1', 's1', 'bash', 9, '{"command":"ls"}', null, 'running', null, T + 6_000, null),
      call('c3', null, 's1', 'ping', 11, null, '"pong"', 'cancelled', null, T + 7_000, T + 8_000),
    ],
  }
  for (const table of SPEC_TABLES) for (const row of rows[table]) insert(db, table, row)
  db.close()
  return {
    path,
    rows,
    columns: (table) => withDatabase(path, (open) => (open.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)),
    change: (sql) => withDatabase(path, (open) => void open.exec(sql)),
  }
}

function withDatabase<Value>(path: string, work: (db: Database.Database) => Value): Value {
  const db = new Database(path)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

function insert(db: Database.Database, table: string, row: SpecRow): void {
  const columns = Object.keys(row)
  db.prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`).run(Object.values(row))
}

function message(
  id: string,
  session_id: string,
  role: string,
  content: string,
  sequence: number,
  timestamp: number,
  more: SpecRow = {},
): SpecRow {
  const empty = {
    checkpoint_id: null,
    is_agentic: 0,
    is_plan_execution: 0,
    context_json: null,
    cursor_rules_json: null,
    metadata_json: null,
  }
  return { id, session_id, role, content, sequence, timestamp, ...empty, ...more }
}

function turn(
  id: string,
  session_id: string,
  parent_turn_id: string | null,
  queries: string[],
  response_message_id: string,
  more: SpecRow,
): SpecRow {
  return { id, session_id, parent_turn_id, query_message_ids: JSON.stringify(queries), response_message_id, ...more }
}

function call(
  ...values: [string, string | null, string, string, number, string | null, string | null, string, string | null, number, number | null]
): SpecRow {
  const [id, message_id, session_id, tool_name, tool_number, params_json, result_json, status, child_session_id, started_at, completed_at] =
    values
  return {
    id,
    message_id,
    session_id,
    tool_name,
    tool_number,
    params_json,
    result_json,
    status,
    child_session_id,
    started_at,
    completed_at,
  }
}
