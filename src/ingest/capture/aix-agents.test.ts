import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import type { Exchange } from '../../../test/helpers/sample-source.ts'
import { SAMPLE_SOURCES } from '../../../test/helpers/sources/all.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import type { AgentRecord } from '../../ledgers/agent-record.ts'
import { agentsWriter } from '../../ledgers/agents-writer.ts'
import type { Store } from '../../store/store.ts'
import type { Adapter } from '../adapter.ts'
import { syncSources } from '../sync.ts'
import { aixAgents } from './aix-agents.ts'
import { claudeCode } from './claude-code.ts'

async function sync(store: Store, adapter: Adapter, path: string) {
  const { totals } = await syncSources({
    ...{ store, adapters: [adapter], path, clock: () => NOON, quietMs: 7_200_000, ignore: () => false },
    ...{ guard: async () => {}, afterGroup: async () => {} },
  })
  return totals
}

const LEDGER = ['agent_sessions', 'agent_messages', 'agent_records', 'agent_turns', 'agent_tool_calls', 'agent_compactions'] as const

async function dump(store: Store) {
  const out: Record<string, string[]> = {}
  for (const table of LEDGER)
    out[table] = (await store.read.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).sort()
  return out
}

const exchanges = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ prompt: `question ${n}`, answer: `answer ${n}`, at: NOON - 86_400_000 + n * 60_000 },
    tool: { name: 'ls', params: { path: `/${n}` }, result: `file-${n}` },
  }))

function writeAll(root: string, count: number): void {
  for (const source of SAMPLE_SOURCES) source.write(join(root, source.name), `${source.name}-session`, exchanges(count))
}

it('another ledger becomes ours, row by row, whatever sources it holds', async () => {
  const [there, here, root] = [await tempStore(), await tempStore(), tempFolder()]
  writeAll(root, 3)
  for (const source of SAMPLE_SOURCES) await sync(there, source.adapter(join(root, source.name)), join(root, source.name))
  const report = await sync(here, aixAgents(), there.location)
  expect(report).toMatchObject({ imported: 1, quarantined: 0, warnings: [] })
  expect(await dump(here)).toEqual(await dump(there))
})

it('the same session on both machines is stored once, and says so; what is new in either comes along', async () => {
  const [there, here, root, copy] = [await tempStore(), await tempStore(), tempFolder(), tempFolder()]
  const [claude] = SAMPLE_SOURCES.filter(({ name }) => name === 'claude-code')
  claude?.write(root, 'shared', exchanges(4))
  claude?.write(copy, 'shared', exchanges(2))
  await sync(there, claudeCode(), root)
  await sync(here, claudeCode(), copy)
  const report = await sync(here, aixAgents(), there.location)
  expect(report.repeated).toBeGreaterThan(0)
  const messages = await here.read
    .selectFrom('agent_messages')
    .select('content')
    .where('content', '<>', '')
    .where('kind', 'in', ['prompt', 'reply'])
    .orderBy('sequence')
    .execute()
  expect(messages.map(({ content }) => content)).toEqual(exchanges(4).flatMap(({ prompt, answer }) => [prompt, answer]))
  // Reading the original source later yields the same session.
  claude?.write(copy, 'shared', exchanges(4))
  await sync(here, claudeCode(), copy)
  const ids = async (store: Store) =>
    (await store.read.selectFrom('agent_messages').select('id').orderBy('id').execute()).map(({ id }) => id)
  expect(await ids(here)).toEqual(await ids(there))
})

it('a session that did not move costs one row, and one that grew is read again', async () => {
  const [there, here, root] = [await tempStore(), await tempStore(), tempFolder()]
  writeAll(root, 2)
  const importAll = async () => {
    for (const source of SAMPLE_SOURCES) await sync(there, source.adapter(join(root, source.name)), join(root, source.name))
  }
  await importAll()
  await sync(here, aixAgents(), there.location)
  expect(await sync(here, aixAgents(), there.location)).toMatchObject({ unchanged: 1, bytes_read: 0 })
  writeAll(root, 3)
  await importAll()
  const grown = await sync(here, aixAgents(), there.location)
  expect(grown.records).toBeGreaterThanOrEqual(2 * SAMPLE_SOURCES.length)
  expect(await dump(here)).toEqual(await dump(there))
})

it('a file with the four tables and nothing else is enough', async () => {
  const path = join(tempFolder(), 'aix.db')
  const db = new Database(path)
  db.exec(`
    create table agent_sessions (id text primary key, source text not null, model text, project text, created_at integer, message_count integer,
      parent_session_id text, tool_call_id text, is_subagent integer default 0, context_token_limit integer, raw_json text);
    create table agent_messages (id text primary key, session_id text not null, role text not null, content text, sequence integer, timestamp integer,
      checkpoint_id text, is_agentic integer, metadata_json text);
    create table agent_turns (id text primary key, session_id text not null);
    create table agent_tool_calls (id text primary key, message_id text, session_id text not null, tool_name text, tool_number integer,
      params_json text, result_json text, status text, child_session_id text);
    insert into agent_sessions (id, source, model, created_at, context_token_limit) values ('s1', 'cursor', 'gpt', ${NOON}, 200000);
    insert into agent_sessions (id, source, created_at, parent_session_id, tool_call_id, is_subagent) values ('s2', 'cursor', ${NOON}, 's1', 't1', 1);
    insert into agent_messages values ('m1', 's1', 'user', 'do it', 0, ${NOON}, 'cp', 0, null), ('m2', 's1', 'assistant', 'done', 1, ${NOON + 5}, null, 1, '{"x":1}'),
      ('m3', 's2', 'user', 'the task', 0, ${NOON + 2}, null, 0, null), ('m4', 's2', 'assistant', 'the result', 1, ${NOON + 3}, null, 0, null);
    insert into agent_tool_calls values ('t1', 'm2', 's1', 'Task', 0, '{"a":1}', '"the result"', 'completed', 's2');`)
  db.close()
  const store = await tempStore()
  await sync(store, aixAgents(), path)
  const sessions = await store.read.selectFrom('agent_sessions').selectAll().orderBy('id').execute()
  expect(sessions).toMatchObject([
    { id: 'cursor:s1', source: 'cursor', context_token_limit: 200000, message_count: 2 },
    { id: 'cursor:s2', parent_session_id: 'cursor:s1', is_subagent: 1 },
  ])
  const [call] = await store.read.selectFrom('agent_tool_calls').selectAll().execute()
  expect(call).toMatchObject({ id: 'cursor:s1/t1', tool_name: 'Task', result_json: '"the result"', child_session_id: 'cursor:s2' })
  const turns = await store.read.selectFrom('agent_turns').select('id').orderBy('id').execute()
  expect(turns.map(({ id }) => id)).toEqual(['cursor:s1/m2', 'cursor:s2/m4'])
})

it('a database of something else is set aside, and our own is never read', async () => {
  const folder = tempFolder()
  const path = join(folder, 'other.db')
  new Database(path).exec('create table t (a)').close()
  const store = await tempStore()
  expect(await sync(store, aixAgents(), path)).toMatchObject({ quarantined: 1 })
  expect(await sync(store, aixAgents({ own: store.location }), store.location)).toMatchObject({ found: 0 })
})

const said = async (store: Store) => {
  const rows = await store.read.selectFrom('agent_messages').select(['id', 'content', 'metadata_json']).orderBy('id').execute()
  const calls = await store.read
    .selectFrom('agent_tool_calls')
    .select(['id', 'params_json', 'result_json', 'status'])
    .orderBy('id')
    .execute()
  return { rows, calls }
}

const REWRITTEN = SAMPLE_SOURCES.filter(({ name, kind }) => kind !== 'lines' && name !== 'nexus')

it.each(REWRITTEN.flatMap((source) => [true, false].map((newerFirst) => ({ name: source.name, kind: source.kind, source, newerFirst }))))(
  '$name ($kind): of two tellings of a message the fuller one stays on both machines (the newer one imports first: $newerFirst)',
  async ({ source, newerFirst }) => {
    const [newer, older, root, copy] = [await tempStore(), await tempStore(), tempFolder(), tempFolder()]
    const [first, last] = exchanges(2) as readonly Exchange[] as [Exchange, Exchange]
    source.write(root, 'shared', [first, last])
    source.write(copy, 'shared', [first, { ...last, answer: last.answer.slice(0, 3) }])
    await sync(newer, source.adapter(root), root)
    await sync(older, source.adapter(copy), copy)
    const whole = await said(newer)
    expect(await said(older)).not.toEqual(whole)
    const [one, other] = newerFirst ? [newer, older] : [older, newer]
    for (let i = 0; i < 2; i++) {
      await sync(one, aixAgents(), other.location)
      await sync(other, aixAgents(), one.location)
    }
    expect(await said(newer)).toEqual(whole)
    expect(await said(older)).toEqual(whole)
  },
)

it('two files of one name on two machines stay two sessions, also on the way back', async () => {
  const [there, here, root, copy] = [await tempStore(), await tempStore(), tempFolder(), tempFolder()]
  const [source] = SAMPLE_SOURCES.filter(({ name }) => name === 'jsonl')
  const line = (text: string) => `${JSON.stringify({ role: 'user', content: text, timestamp: NOON })}\n`
  writeFileSync(join(root, 'notes.jsonl'), line('About the harbour'))
  writeFileSync(join(copy, 'notes.jsonl'), line('About the mill'))
  await sync(there, source?.adapter(root) as Adapter, root)
  await sync(here, source?.adapter(copy) as Adapter, copy)
  for (let i = 0; i < 2; i++) {
    await sync(here, aixAgents(), there.location)
    await sync(there, aixAgents(), here.location)
  }
  for (const store of [here, there]) {
    const rows = await store.read.selectFrom('agent_messages').select(['session_id', 'content']).execute()
    expect(new Set(rows.map(({ session_id }) => session_id)).size).toBe(2)
    expect(rows.map(({ content }) => content).sort()).toEqual(['About the harbour', 'About the mill'])
  }
})

/** The four tables with one prompt, and an answer with a running tool. */
function plainLedger(): { path: string; change: (sql: string) => void } {
  const path = join(tempFolder(), 'aix.db')
  const change = (sql: string) => void new Database(path).exec(sql).close()
  change(`
    create table agent_sessions (id text primary key, source text not null, project text, raw_json text);
    create table agent_messages (id text primary key, session_id text, role text, content text, sequence integer, timestamp integer);
    create table agent_turns (id text primary key, session_id text);
    create table agent_tool_calls (id text primary key, message_id text, session_id text, tool_name text, tool_number integer, params_json text,
      result_json text, status text);
    insert into agent_sessions values ('s', 'cursor', null, '{"note":"<private>hidden one</private>"}');
    insert into agent_messages values ('m1', 's', 'user', 'list <private>hidden two</private>it', 0, ${NOON}),
      ('m2', 's', 'assistant', 'Looking', 1, ${NOON});
    insert into agent_tool_calls values ('t', 'm2', 's', 'ls', 0, '{"a":"<mnemonic-memory v=\\"1\\">hidden three</mnemonic-memory>"}', null, 'running')`)
  return { path, change }
}

it('keeps private passages and injected memory out, in whatever column they stand', async () => {
  const { path } = plainLedger()
  const store = await tempStore()
  await sync(store, aixAgents(), path)
  expect(JSON.stringify(await dump(store))).not.toContain('hidden')
  expect((await said(store)).rows[0]?.content).toBe('list it')
})

it('a result that came and a text that grew in another program’s ledger come along, in place', async () => {
  const { path, change } = plainLedger()
  const store = await tempStore()
  await sync(store, aixAgents(), path)
  change(`update agent_tool_calls set result_json = '"a.txt"', status = 'completed'`)
  await sync(store, aixAgents(), path)
  expect((await said(store)).calls).toMatchObject([{ id: 'cursor:s/t', result_json: '"a.txt"', status: 'completed' }])
  change("update agent_messages set content = 'Looking: done.' where id = 'm2'")
  await sync(store, aixAgents(), path)
  expect((await said(store)).rows.map(({ id, content }) => [id, content])).toEqual([
    ['cursor:s/m1', 'list it'],
    ['cursor:s/m2', 'Looking: done.'],
  ])
})

it('sessions whose names begin with another’s keep the names of their records', async () => {
  const [there, here, root] = [await tempStore(), await tempStore(), tempFolder()]
  const [claude] = SAMPLE_SOURCES.filter(({ name }) => name === 'opencode')
  for (const session of ['ses_a', 'ses_a/b']) claude?.write(root, session, exchanges(1))
  await sync(there, claude?.adapter(root) as Adapter, root)
  await sync(here, aixAgents(), there.location)
  expect(await dump(here)).toEqual(await dump(there))
})

it('a fork hangs where it was forked from, also when that session comes later, or when two go on from each other', async () => {
  const [there, here] = [await tempStore(), await tempStore()]
  const say = (session: string, id: string, role: 'user' | 'assistant', parent?: string): AgentRecord => {
    const kind = role === 'user' ? 'prompt' : 'reply'
    const at = { timestamp: NOON - 86_400_000, trust: 'owner', ...(parent === undefined ? {} : { parent }) } as const
    return { type: 'message', session, id, hash: id, role, kind, text: `said ${id}`, ...at }
  }
  const open = (session: string): AgentRecord => ({ type: 'session', session, firstHash: session })
  const units = [
    [open('z'), say('z', 'z1', 'user'), say('z', 'z2', 'assistant', 'z1')],
    [open('a'), say('a', 'a1', 'user', 'z2'), say('a', 'a2', 'assistant', 'a1')],
    [open('z'), say('z', 'z3', 'user', 'a2'), say('z', 'z4', 'assistant', 'z3')],
  ]
  for (const records of units) {
    const writer = agentsWriter({ source: 'claude-code', clock: () => NOON, quietMs: 7_200_000 })
    await there.write(async (tx) => {
      await writer.apply(tx, records)
      await writer.finish(tx)
    })
  }
  await sync(here, aixAgents(), there.location)
  expect(await dump(here)).toEqual(await dump(there))
})
