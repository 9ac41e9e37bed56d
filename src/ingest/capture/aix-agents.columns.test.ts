/** Every column of the specification's four tables, on import and export. */
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { SPEC_TABLES, type SpecLedger, type SpecRow, specLedger } from '../../../test/helpers/spec-ledger.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import type { Store } from '../../store/store.ts'
import { syncSources } from '../sync.ts'
import { aixAgents } from './aix-agents.ts'

async function importLedger(store: Store, path: string, reread = false) {
  const { totals } = await syncSources({
    ...{ store, adapters: [aixAgents()], path, reread, clock: () => NOON, quietMs: 7_200_000, ignore: () => false },
    ...{ guard: async () => {}, afterGroup: async () => {} },
  })
  expect(totals).toMatchObject({ imported: 1, quarantined: 0, warnings: [] })
}

/** Ids there become parts of ids here. */
const ID = {
  session: (id: unknown) => (id === null ? null : `windsurf:${id}`),
  of: (row: SpecRow, id: unknown) => (id === null ? null : `windsurf:${row.session_id}/${id}`),
}

type Expected = (row: SpecRow, ledger: SpecLedger) => unknown
const same =
  (column: string): Expected =>
  (row) =>
    row[column]
const json =
  (column: string): Expected =>
  (row) =>
    row[column]
const counted =
  (table: 'agent_messages' | 'agent_tool_calls', key: string, by: string): Expected =>
  (row, { rows }) =>
    rows[table].filter((one) => one[key] === row[by]).length

/** Expected value per column; omitted columns state a reason. */
const COLUMNS: Readonly<Record<(typeof SPEC_TABLES)[number], Readonly<Record<string, Expected>>>> = {
  agent_sessions: {
    id: (row) => ID.session(row.id),
    source: same('source'),
    // Derived from the last answer, but these messages name no model.
    model: same('model'),
    project: same('project'),
    created_at: same('created_at'),
    message_count: counted('agent_messages', 'session_id', 'id'), // recounted
    parent_session_id: (row) => ID.session(row.parent_session_id),
    parent_message_id: (row) => (row.parent_message_id === null ? null : `windsurf:${row.parent_session_id}/${row.parent_message_id}`),
    tool_call_id: (row) => (row.tool_call_id === null ? null : `windsurf:${row.parent_session_id}/${row.tool_call_id}`),
    task_description: same('task_description'),
    task_status: same('task_status'),
    is_subagent: same('is_subagent'),
    context_token_limit: same('context_token_limit'),
    context_tokens_used: same('context_tokens_used'),
    is_agentic: same('is_agentic'),
    force_mode: same('force_mode'),
    // The harness's folder: `project` may become the repository root.
    workspace_path: (row) => row.workspace_path ?? row.project,
    context_json: json('context_json'),
    conversation_state: same('conversation_state'),
    raw_json: json('raw_json'),
  },
  agent_messages: {
    id: (row) => ID.of(row, row.id),
    session_id: (row) => ID.session(row.session_id),
    role: same('role'),
    content: same('content'),
    sequence: same('sequence'),
    timestamp: same('timestamp'),
    checkpoint_id: same('checkpoint_id'),
    is_agentic: same('is_agentic'),
    is_plan_execution: same('is_plan_execution'),
    context_json: json('context_json'),
    cursor_rules_json: json('cursor_rules_json'),
    metadata_json: json('metadata_json'),
  },
  agent_turns: {
    id: (row) => ID.of(row, row.id),
    session_id: (row) => ID.session(row.session_id),
    parent_turn_id: (row) => ID.of(row, row.parent_turn_id),
    query_message_ids: (row) => JSON.stringify((JSON.parse(String(row.query_message_ids)) as string[]).map((id) => ID.of(row, id))),
    response_message_id: (row) => ID.of(row, row.response_message_id),
    model: same('model'),
    token_count: same('token_count'),
    timestamp: same('timestamp'),
    has_children: same('has_children'),
    tool_call_count: counted('agent_tool_calls', 'message_id', 'response_message_id'), // recounted over the existing calls
  },
  agent_tool_calls: {
    id: (row) => ID.of(row, row.id),
    message_id: (row) => ID.of(row, row.message_id),
    session_id: (row) => ID.session(row.session_id),
    tool_name: same('tool_name'),
    tool_number: same('tool_number'),
    params_json: same('params_json'),
    result_json: same('result_json'),
    status: same('status'),
    child_session_id: (row) => ID.session(row.child_session_id),
    started_at: same('started_at'),
    completed_at: same('completed_at'),
  },
}

async function stored(store: Store, table: (typeof SPEC_TABLES)[number]): Promise<Map<string, Record<string, unknown>>> {
  const rows = (await store.read.selectFrom(table).selectAll().execute()) as Record<string, unknown>[]
  return new Map(rows.map((row) => [String(row.id), row]))
}

describe.each(SPEC_TABLES)('%s', (table) => {
  it('names every column of the specification, and fills each of them in some row', () => {
    const ledger = specLedger()
    expect(Object.keys(COLUMNS[table]).sort()).toEqual(ledger.columns(table).sort())
    for (const column of ledger.columns(table))
      expect(
        ledger.rows[table].some((row) => row[column] !== null),
        column,
      ).toBe(true)
  })

  it('arrives from a ledger that has the columns of the specification alone', async () => {
    const ledger = specLedger()
    const store = await tempStore()
    await importLedger(store, ledger.path)
    const here = await stored(store, table)
    expect(here.size).toBe(ledger.rows[table].length)
    for (const row of ledger.rows[table]) {
      const found = here.get(String(COLUMNS[table].id?.(row, ledger)))
      for (const [column, expected] of Object.entries(COLUMNS[table]))
        expect(found?.[column], `${String(row.id)}.${column}`).toEqual(expected(row, ledger))
    }
  })

  it('goes on from our ledger to another one unchanged, and back', async () => {
    const ledger = specLedger()
    const [first, second] = [await tempStore(), await tempStore()]
    await importLedger(first, ledger.path)
    await importLedger(second, first.location)
    expect(await stored(second, table)).toEqual(await stored(first, table))
    await importLedger(first, second.location)
    expect(await stored(first, table)).toEqual(await stored(second, table))
  })

  it('can be read out of our ledger by the columns of the specification', async () => {
    const ledger = specLedger()
    const store = await tempStore()
    await importLedger(store, ledger.path)
    const db = new Database(store.location, { readonly: true })
    const rows = db.prepare(`select ${ledger.columns(table).join(', ')} from ${table}`).all()
    db.close()
    expect(rows).toHaveLength(ledger.rows[table].length)
  })
})

it('no call of an imported ledger ends before it began, unless that ledger itself says so', async () => {
  const ledger = specLedger()
  const store = await tempStore()
  // The message time precedes the start, so it is no end time either.
  ledger.change('update agent_tool_calls set completed_at = null')
  await importLedger(store, ledger.path)
  const calls = await store.read.selectFrom('agent_tool_calls').select(['id', 'started_at', 'completed_at']).execute()
  expect(calls.filter(({ started_at, completed_at }) => completed_at !== null && completed_at < (started_at ?? 0))).toEqual([])
  expect(calls.every(({ completed_at }) => completed_at === null)).toBe(true)
})

it('what another ledger corrects without a new message comes along', async () => {
  const ledger = specLedger()
  const store = await tempStore()
  await importLedger(store, ledger.path)
  ledger.change("update agent_sessions set conversation_state = 'done', context_tokens_used = 9 where id = 's1'")
  ledger.change("update agent_turns set token_count = 5005 where id = 'a2'")
  ledger.change("update agent_tool_calls set result_json = '\"a.txt\"', status = 'completed', completed_at = 1770292807000 where id = 'c2'")
  await importLedger(store, ledger.path)
  expect((await stored(store, 'agent_sessions')).get('windsurf:s1')).toMatchObject({ conversation_state: 'done', context_tokens_used: 9 })
  expect((await stored(store, 'agent_turns')).get('windsurf:s1/a2')).toMatchObject({ token_count: 5005, model: 'm-turn-2' })
  expect((await stored(store, 'agent_tool_calls')).get('windsurf:s1/c2')).toMatchObject({
    ...{ result_json: '"a.txt"', status: 'completed', completed_at: 1770292807000 },
  })
})

it('turns that are called otherwise than their answers are found by their names', async () => {
  const ledger = specLedger()
  ledger.change(
    "pragma foreign_keys = off; update agent_turns set parent_turn_id = 't1' where parent_turn_id = 'a1'; update agent_turns set id = 't1' where id = 'a1'",
  )
  const store = await tempStore()
  await importLedger(store, ledger.path)
  const named = await store.read.selectFrom('agent_records').selectAll().where('native_id', '=', 't1').execute()
  expect(named).toMatchObject([{ source: 'windsurf', message_id: 'windsurf:s1/q1' }])
  expect((await stored(store, 'agent_turns')).get('windsurf:s1/a3')).toMatchObject({ parent_turn_id: 'windsurf:s1/a1' })
})
