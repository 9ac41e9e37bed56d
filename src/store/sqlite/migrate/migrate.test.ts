/** Disk space, waiting and progress of a migration. test/e2e/migrate.test.ts covers kills. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, vi } from 'vitest'
import { oldDatabase } from '../../../../test/helpers/old-database.ts'
import { NOON, tempFolder } from '../../../../test/helpers/store.ts'
import type { ProgressEvent } from '../../../core/progress.ts'
import { openSqlite } from '../open.ts'
import { migrate, migrationNames } from './migrate.ts'
import { migrationBytes } from './room.ts'

const clock = () => NOON

function old(upTo = '010'): string {
  const path = join(tempFolder(), 'mnemonic.db')
  oldDatabase(path, { upTo, sessions: 3, turnsEach: 12 })
  return path
}

const namesIn = (db: Database.Database) => db.prepare('select name from schema_migrations order by name').pluck().all()

it('without room nothing is changed, and the error says what is needed, what is there and what to do', async () => {
  const path = old()
  const db = new Database(path)
  const before = namesIn(db)
  const error = await migrate(db, { clock, free: () => 1 << 20 }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'STORAGE_ERROR', details: { path, free: 1 << 20, needed: expect.any(Number) } })
  expect((error as Error).message).toMatch(/no room to bring .* to this version: [\d,]+ MB needed for a while, 1 MB free/)
  expect((error as { hint: string }).hint).toMatch(/^Free [\d,]+ MB on that disk and run the command again\. Nothing was changed/)
  expect(namesIn(db)).toEqual(before)
  expect(db.inTransaction).toBe(false)
  expect(await migrate(db, { clock })).toBe(true)
  expect(namesIn(db)).toEqual(migrationNames())
  db.close()
})

it('what is needed follows the tables that are written anew', () => {
  const db = new Database(old())
  const bytesOf = (sql: string) => migrationBytes(db, [{ name: 'x', sql }])
  const small = bytesOf('-- why: nothing much\nselect 1;')
  const table = Number(db.prepare("select sum(pgsize) from dbstat where aggregate = true and name like '%agent_turns%'").pluck().get())
  expect(table).toBeGreaterThan(10_000)
  expect(bytesOf('-- why: x\n-- rewrites: agent_turns\n') - small).toBe(Math.ceil(table * 2.2))
  expect(bytesOf('-- rewrites: agent_turns agent_messages\n')).toBeGreaterThan(bytesOf('-- rewrites: agent_turns\n'))
  db.close()
})

it('a new database asks for no room and tells nothing; an old one tells each step', async () => {
  const events: ProgressEvent[] = []
  const onProgress = (event: ProgressEvent) => void events.push(event)
  const fresh = new Database(join(tempFolder(), 'new.db'))
  expect(await migrate(fresh, { clock, onProgress, free: () => 0 })).toBe(true)
  expect(events).toEqual([])
  expect(await migrate(fresh, { clock, onProgress, free: () => 0 })).toBe(false)
  fresh.close()
  const path = old()
  await (await openSqlite({ path, clock, onProgress })).close()
  const total = migrationNames().filter((name) => name > '011').length
  expect(events).toEqual(Array.from({ length: total + 1 }, (_, done) => ({ stage: 'migrate', done, total })))
})

it('a process that opens the database while another one migrates waits, says so, and finds the new schema', async () => {
  const path = old()
  const other = new Database(path)
  other.exec('begin immediate')
  const events: ProgressEvent[] = []
  const opened = openSqlite({ path, clock, onProgress: (event) => void events.push(event) })
  await vi.waitFor(() => expect(events).not.toEqual([]), { timeout: 60_000 })
  expect(events).toEqual([{ stage: 'migrate', done: 0, total: 1, waiting: true }])
  other.exec('rollback')
  const store = await opened
  expect((await store.select('select count(*) from schema_migrations', 1)).rows).toEqual([[migrationNames().length]])
  expect(events.at(-1)).toEqual({ stage: 'migrate', done: 1, total: 1, waiting: true })
  other.close()
  await store.close()
})

/** Reads columns that every version has. */
function said(path: string): Record<string, unknown[]> {
  const db = new Database(path, { readonly: true })
  const all = (sql: string) => db.prepare(sql).all()
  const found = {
    chunks: all('select * from chunks order by id').map((row) => without(row, 'user_label', 'assistant_label')),
    files: all(
      'select path, source, hash, agent_id, session_id, turn_id, kind, chunk_count, identity, updated_at from files order by path',
    ),
    embeddings: all(
      `select number, id, config_id, owner_type, owner_id, episode_id, event_id, agent_id, content_hash, created_at from embeddings order by number`,
    ),
    extractions: all('select * from extraction_cache order by content_hash, extractor'),
    views: all('select id, session_id, chunk_index, content, context_content from session_chunks order by id'),
    words: all("select term, doc, cnt from chunks_vocab where term like 'word%' order by term"),
    signs: all('select chunk_id, hex(bits) from chunk_signs order by chunk_id'),
    ...Object.fromEntries(UNTOUCHED.map((table) => [table, all(`select * from ${table} order by 1, 2`)])),
    sync_state: all('select * from sync_state order by 1, 2').map((row) => without(row, 'reads')),
  }
  db.close()
  return found
}

function without(row: unknown, ...columns: readonly string[]): unknown {
  return Object.fromEntries(Object.entries(row as object).filter(([column]) => !columns.includes(column)))
}

/** What 016 fills in: sessions with calls are agentic; documents with named speakers and summaries are queued for rewriting. */
function filledIn(before: Record<string, unknown[]>): Record<string, unknown[]> {
  const [sessions, files] = [
    before.agent_sessions as { id: string }[],
    before.files as { turn_id: string; session_id: string; kind: string }[],
  ]
  const agentic = new Set((before.agent_tool_calls as { session_id: string }[]).map((call) => call.session_id))
  const messages = before.agent_messages as { turn_id: string; speaker: string | null }[]
  const named = new Set(messages.filter(({ speaker }) => speaker !== null).map((message) => message.turn_id))
  const isStale = (file: { turn_id: string; kind: string }) => file.kind === 'compaction' || named.has(file.turn_id)
  const again = new Set(files.filter(isStale).map((file) => file.session_id))
  const history = before.agent_session_history as { id: number }[]
  const heads = before.agent_sessions as { id: string; head_turn_id: string }[]
  const news = heads.filter(({ id }) => again.has(id)).map(({ id, head_turn_id }) => ({ session_id: id, thread_id: head_turn_id }))
  return {
    ...before,
    agent_sessions: sessions.map((row) => ({ ...row, ...(agentic.has(row.id) ? { is_agentic: 1 } : {}), ...UNNAMED })),
    files: files.map((row) => (isStale(row) ? { ...row, hash: '' } : row)),
    episodes: (before.episodes as object[]).map((row) => ({ ...row, revision: 0 })),
    agent_session_history: [...history, ...news.map((row, i) => ({ id: history.length + 1 + i, ...row, created_at: expect.any(Number) }))],
  }
}

/** Every session waits for its name. */
const UNNAMED = {
  ...{ own_title: null, source_title: null, title_origin: null, names_version: 0 },
  ...{ repository: null, repository_seen: null, project_name: null },
}

const UNTOUCHED = [
  ...['agent_sessions', 'agent_messages', 'agent_records', 'agent_turns', 'agent_tool_calls', 'agent_session_history', 'agent_compactions'],
  ...['events', 'artifacts', 'tombstones', 'index_state', 'episodes', 'meta'],
]

const vectorsOf = (path: string) => {
  const db = new Database(path, { readonly: true })
  const rows = db.prepare('select chunk_id, embedding from session_embeddings order by chunk_id').raw().all() as [number, Buffer][]
  db.close()
  return new Map(rows.map(([id, blob]) => [id, new Float32Array(new Uint8Array(blob).buffer)]))
}

it('a database of schema 011 says afterwards all that it said before; unchanged texts keep their vectors', async () => {
  const path = join(tempFolder(), 'mnemonic.db')
  oldDatabase(path, { upTo: '011', sessions: 9, turnsEach: 14 })
  const before = said(path)
  const vectors = vectorsOf(path)
  const store = await openSqlite({ path, clock })
  expect(said(path)).toEqual(filledIn(before))
  const after = vectorsOf(path)
  expect([...after.keys()]).toEqual([...vectors.keys()])
  for (const [id, vector] of vectors) {
    expect(after.get(id)).toHaveLength(vector.length)
    for (const [i, value] of vector.entries()) expect(after.get(id)?.[i]).toBeCloseTo(value, 3)
  }
  const waiting = before.chunks?.filter((row) => (row as { embed_status: string }).embed_status === 'waiting').length
  expect(await store.vectors.coverage()).toEqual({ embedded: vectors.size, waiting, failed: 0 })
  const [[first, asked] = []] = [...vectors]
  expect((await store.vectors.nearest(asked as Float32Array, {}, 1))[0]).toEqual({ chunkId: first, similarity: expect.closeTo(1, 3) })
  // Known embeddings must not be recomputed.
  const known = (before.embeddings as { content_hash: string; number: number }[]).slice(0, 5)
  expect(await store.write(({ vectors: rows }) => rows.known(known.map((row) => row.content_hash)))).toEqual(
    new Map(known.map((row) => [row.content_hash, row.number])),
  )
  expect((await store.lexical.search({ any: [{ words: ['boat'] }] }, {}, 5)).map(({ score }) => score > 0)).toEqual([true])
  expect((await store.diagnose()).filter(({ ok }) => !ok)).toEqual([])
  await store.write(({ db }) => db.deleteFrom('agent_sessions').where('id', '=', 'claude-code:old-1').execute())
  const { rows } = await store.select(
    "select (select count(*) from chunks where session_id = 'claude-code:old-1'), (select count(*) from index_sessions where id = 'claude-code:old-1')",
    1,
  )
  expect(rows).toEqual([[0, 0]])
  await store.close()
})

it('the tables behind the views take less than the half of what they took', async () => {
  const path = join(tempFolder(), 'mnemonic.db')
  oldDatabase(path, { upTo: '011', sessions: 12, turnsEach: 60, dimensions: 384 })
  const bytesOf = (names: string) => {
    const db = new Database(path, { readonly: true })
    const bytes = db
      .prepare(
        `select sum(pgsize) from dbstat where aggregate = true
          and name in (select name from sqlite_master where tbl_name in (select value from json_each(?)))`,
      )
      .pluck()
      .get(JSON.stringify(names.split(' '))) as number
    db.close()
    return bytes
  }
  const before = bytesOf('files chunks embeddings extraction_cache')
  await (await openSqlite({ path, clock })).close()
  const after = bytesOf('index_words index_sessions index_files index_chunks vectors vector_owners extractions')
  expect(after / before).toBeLessThan(0.5)
})

it('an SQLite before 3.44 opens the file: no view and no trigger orders within an aggregate, which such a one cannot parse', async () => {
  const path = join(tempFolder(), 'mnemonic.db')
  await (await openSqlite({ path, clock })).close()
  const db = new Database(path, { readonly: true })
  const rows = db.prepare("select name, sql from sqlite_master where type in ('view', 'trigger')").all() as { name: string; sql: string }[]
  db.close()
  expect(rows.map(({ name }) => name)).toContain('session_embeddings')
  const ordered = /\b(?:group_concat|string_agg|json_group_array|json_group_object)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\border by\b/i
  expect('group_concat(f(a, (b)), char(1) order by c)').toMatch(ordered)
  expect(rows.filter(({ sql }) => ordered.test(sql)).map(({ name }) => name)).toEqual([])
})

it('a turn of notes alone joins the turn of the prompt after it, and nothing else moves', async () => {
  const db = new Database(join(tempFolder(), 'mnemonic.db'))
  await migrate(db, { clock })
  db.exec(`
    insert into agent_sessions (id, source, native_id, agent_id, label, trust, head_turn_id) values ('s', 'claude-code', 's', 'main', 's', 'owner', 's/a1');
    insert into agent_messages (id, session_id, native_id, turn_id, opener_id, parent_id, role, kind, content, sequence, timestamp, trust) values
      ('s/n1', 's', 'n1', 's/n2', 's/n1', null, 'system', 'attachment', '', 0, 1, 'agent'),
      ('s/n2', 's', 'n2', 's/n2', 's/n1', 's/n1', 'system', 'notice', '', 1, 2, 'agent'),
      ('s/p1', 's', 'p1', 's/a1', 's/p1', 's/n2', 'user', 'prompt', 'ask', 2, 3, 'owner'),
      ('s/a1', 's', 'a1', 's/a1', 's/p1', 's/p1', 'assistant', 'reply', 'answer', 3, 4, 'agent'),
      ('s/p2', 's', 'p2', 's/p2', 's/p2', 's/n2', 'user', 'prompt', 'ask else', 4, 5, 'owner'),
      ('s/n3', 's', 'n3', 's/n3', 's/n3', 's/a1', 'system', 'notice', 'the end', 5, 6, 'agent');
    insert into agent_turns (id, session_id, parent_turn_id, opener_id, sequence, query_message_ids, response_message_id, message_count, timestamp, status) values
      ('s/n2', 's', null, 's/n1', 0, '[]', null, 2, 1, 'final'),
      ('s/a1', 's', 's/n2', 's/p1', 2, '["s/p1"]', 's/a1', 2, 3, 'final'),
      ('s/p2', 's', 's/n2', 's/p2', 4, '["s/p2"]', null, 1, 5, 'superseded'),
      ('s/n3', 's', 's/a1', 's/n3', 5, '[]', null, 1, 6, 'final');
    delete from schema_migrations where name like '059%';`)
  expect(await migrate(db, { clock })).toBe(true)
  expect(
    db.prepare('select id, parent_turn_id, opener_id, sequence, message_count, timestamp from agent_turns order by sequence').raw().all(),
  ).toEqual([
    ['s/a1', null, 's/n1', 0, 4, 1],
    ['s/p2', null, 's/p2', 4, 1, 5],
    ['s/n3', 's/a1', 's/n3', 5, 1, 6],
  ])
  expect(db.prepare('select native_id, turn_id, opener_id from agent_messages order by sequence').raw().all()).toEqual([
    ['n1', 's/a1', 's/n1'],
    ['n2', 's/a1', 's/n1'],
    ['p1', 's/a1', 's/n1'],
    ['a1', 's/a1', 's/n1'],
    ['p2', 's/p2', 's/p2'],
    ['n3', 's/n3', 's/n3'],
  ])
  db.close()
})
