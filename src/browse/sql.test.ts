import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { runSql } from './sql.ts'

const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
let folder: string
let store: Store

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-sql-'))
  store = await openSqlite({ path: join(folder, 'm.db'), clock: () => 1 })
  await store.write((tx) =>
    tx.db
      .insertInto('meta')
      .values([
        { key: 'plain', value: `token ${TOKEN} here` },
        { key: 'json', value: JSON.stringify({ note: { text: `a\n${TOKEN}\nb` } }) },
      ])
      .execute(),
  )
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const numbers = (n: number) => `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${n}) select i from n`

/** Parts of the secret in several encodings. */
const TRACES = [TOKEN.slice(4, 12), Buffer.from(TOKEN.slice(4, 12)).toString('hex'), [...TOKEN.slice(4, 12)].reverse().join('')].map(
  (trace) => trace.toLowerCase(),
)

function expectNoTrace(rows: readonly unknown[]): void {
  const text = JSON.stringify(rows).toLowerCase()
  for (const trace of TRACES) expect(text).not.toContain(trace)
}

describe('what a query computes it computes from redacted text', () => {
  it.each([
    'select hex(value) from meta',
    'select substr(value, 7) from meta',
    'select substr(value, 9, 12) from meta',
    "select replace(value, 'ghp_', '') from meta",
    "select replace(value, '_', ' ') from meta",
    "select group_concat(value, '') from meta",
    'select quote(value), json_quote(value), upper(value), lower(value) from meta',
    "select printf('%s', value), value || '', cast(value as blob), hex(cast(value as blob)) from meta",
    "select json_extract(value, '$.note.text') from meta where key = 'json'",
    "select substr(json_extract(value, '$.note.text'), 7) from meta where key = 'json'",
    "select hex(atom) from meta, json_tree(meta.value) where meta.key = 'json'",
    'with recursive c (i, s) as (select 1, value from meta union all select i + 1, s from c where i < 60) select substr(s, i, 1) from c',
    'select (select hex(value) from meta m where m.key = meta.key) from meta',
    'select max(value), min(hex(value)) from meta',
    'select unicode(substr(value, 12, 1)) from meta',
    "select key from meta where value like '%ghp_a%' or value glob '*ghp_a*' or instr(value, 'a1B2')",
    'select temp.meta.value, hex(temp.meta.value) from temp.meta',
    'select hex(value) from "meta" union all select hex(value) from [meta] union all select hex(value) from `meta`',
    "select hex(value) from 'meta'",
    'select value from (select hex(value) as value from (select * from meta))',
    'select hex(content), hex(metadata_json), substr(content, 7) from agent_messages',
    'select hex(said_user) from chunks',
    'select hex(content), hex(context_content) from session_chunks',
    'select * from meta order by substr(value, 8)',
    'select json_group_array(value), json_group_object(key, hex(value)) from meta',
    "select string_agg(substr(value, 8), '-') from meta",
  ])('%s', async (query) => {
    expectNoTrace((await runSql(store, query, { limit: 1000 })).rows)
  })

  it.each([
    'select hex(value) from main.meta',
    'select hex(value) from "main"."meta"',
    "select hex(value) from 'main'.meta",
    'select hex(value) from main /* */ . /* */ meta',
    'select * from sqlite_sequence',
    'select * from sqlite_stat1',
    'select * from "sqlite_stat4"',
    "select * from 'sqlite_stat4'",
    'select * from sqlite_dbpage',
    'select * from sqlite_stmt',
    'select * from temp.sqlite_temp_schema',
    'select * from temp . /**/ sqlite_temp_schema',
    'select 1.5, * from sqlite_stat1',
    'select * from pragma_database_list',
    'select * from pragma_table_list',
    'select * from "pragma_database_list"()',
    "select hex(name) from 'pragma_database_list'",
    'select * from chunks_fts',
    "select * from chunks_fts where chunks_fts match 'token'",
    "select * from chunks_fts('token')",
    'select * from "chunks_fts_data"',
    'select * from chunks_fts_content',
    'select * from chunks_fts_idx',
    'select * from chunks_vocab',
    "select load_extension('x')",
    "attach 'x' as y",
    'pragma database_list',
    "select readfile('/etc/passwd')",
    'create temp table x as select * from meta',
    'insert into meta values (1, 2) returning *',
    'with x as (select 1) delete from meta returning value',
  ])('refused: %s', async (query) => {
    await expect(runSql(store, query)).rejects.toMatchObject({ code: 'SQL_REFUSED' })
  })

  it('a name in another quoting than its own stands for nothing but a view', async () => {
    for (const name of ["'chunks_fts'", "'chunks_fts_data'", "'chunks_vocab'", 'temp.ledger_schema']) {
      const { rows } = await runSql(store, `select * from ${name}`).catch(() => ({ rows: [] }))
      expectNoTrace(rows)
    }
    expect((await runSql(store, "select * from 'chunks_fts_data'")).rows).toEqual([])
  })

  it('no query can tell under which name the file is attached', async () => {
    for (const query of [
      'select * from sqlite_master',
      'select sql from temp.sqlite_master',
      "select * from pragma_table_info('meta')",
      'explain select * from meta',
      'explain query plan select * from meta',
      'select nothing from meta',
    ]) {
      const said = await runSql(store, query, { limit: 5000 }).then(
        ({ rows }) => JSON.stringify(rows),
        (error: Error) => error.message,
      )
      expect(said).not.toMatch(/l_[0-9a-f]{32}/)
    }
  })

  it('a table that only the file has is not seen under any name', async () => {
    const names = await runSql(store, 'select name from sqlite_master', { limit: 1000 })
    expect(names.rows.flat()).toContain('agent_messages')
    expect(names.rows.flat().filter((name) => /fts|vocab|^sqlite_/.test(String(name)))).toEqual([])
    const file = await store.select("select name from sqlite_master where type in ('table', 'view')", 1000)
    for (const [name] of file.rows) {
      if (/^sqlite_/.test(String(name))) continue
      const { rows } = await runSql(store, `select * from temp."${name}" limit 1`).catch(() => ({ rows: [] }))
      expectNoTrace(rows)
    }
  })

  it('works on a file that was written anew, whatever the order of its tables', async () => {
    await store.file?.erase({ rewrite: true })
    expect((await runSql(store, 'select count(*) from agent_messages')).rows).toEqual([[0]])
    expect((await runSql(store, "select * from 'chunks_fts_data'")).rows).toEqual([])
  })

  it('the key of what was forgotten stays inside', async () => {
    await store.write((tx) =>
      tx.db
        .insertInto('meta')
        .values({ key: 'tombstone_key', value: 'k' })
        .onConflict((on) => on.doNothing())
        .execute(),
    )
    // A shared workspace brings the key of another database along.
    await store.write((tx) => tx.db.insertInto('meta').values({ key: 'tombstone_other_keys', value: '["o"]' }).execute())
    expect((await runSql(store, "select * from meta where key in ('tombstone_key', 'tombstone_other_keys')")).rows).toEqual([])
  })

  it('only the texts that are read are redacted', async () => {
    let asked = 0
    const redact = (text: string) => {
      asked++
      return text
    }
    await store.selectRedacted('select count(*), max(timestamp) from agent_messages', { limit: 10, redact })
    await store.selectRedacted("select id, session_id, role from agent_messages where id = 'x' order by sequence", { limit: 10, redact })
    await store.selectRedacted('select count(*) from meta', { limit: 10, redact })
    expect(asked).toBe(0)
    await store.selectRedacted("select value from meta where key = 'plain'", { limit: 10, redact })
    expect(asked).toBeGreaterThan(0)
  })

  it('ids are looked up by their index', async () => {
    const plan = await runSql(store, "explain query plan select content from agent_messages where session_id = 'x' order by sequence")
    expect(JSON.stringify(plan.rows)).toContain('idx_agent_messages_session')
    const join = await runSql(
      store,
      'explain query plan select s.title, m.content from agent_sessions s join agent_messages m on m.session_id = s.id',
    )
    expect(JSON.stringify(join.rows)).toMatch(/SEARCH .* USING INDEX/)
  })
})

describe('runSql', () => {
  it('gives columns and rows', async () => {
    expect(await runSql(store, "select 1 as one, 'x' as two, null as three")).toEqual({
      columns: ['one', 'two', 'three'],
      rows: [[1, 'x', null]],
      truncated: false,
    })
  })

  it('redacts every cell, also inside JSON', async () => {
    const { rows } = await runSql(store, "select value from meta where key in ('plain', 'json') order by key desc")
    expect(JSON.stringify(rows)).not.toContain(TOKEN)
    expect(rows[0]?.[0]).toMatch(/^token \[REDACTED:[^\]]+\] here$/)
    expect(JSON.parse(String(rows[1]?.[0])).note.text).toMatch(/^a\n\[REDACTED:[^\]]+\]\nb$/)
  })

  it('redacts what a query puts together from cells that are harmless each', async () => {
    const halves = { 'half 1': TOKEN.slice(0, 20), 'half 2': TOKEN.slice(20) }
    const values = Object.entries(halves).map(([key, value]) => ({ key, value }))
    await store.write((tx) => tx.db.insertInto('meta').values(values).execute())
    const each = await runSql(store, "select value from meta where key like 'half %' order by key")
    expect(each.rows.flat()).toEqual(Object.values(halves))
    const { rows } = await runSql(store, "select group_concat(value, '' order by key) from meta where key like 'half %'")
    expect(rows[0]?.[0]).toMatch(/^\[REDACTED:[^\]]+\]$/)
  })

  it('names the size of a blob in place of its bytes', async () => {
    expect((await runSql(store, 'select zeroblob(1536)')).rows).toEqual([['<blob 1536 bytes>']])
    expect((await runSql(store, 'select cast(value as blob) from meta')).rows.flat().join()).not.toContain('token')
  })

  it('gives numbers that JSON can carry', async () => {
    const { rows } = await runSql(store, 'select 9e999, 1.5, 42')
    expect(JSON.parse(JSON.stringify(rows))).toEqual([['Infinity', 1.5, 42]])
  })

  it('stops at 100 rows, or at the limit, and says so', async () => {
    const byDefault = await runSql(store, numbers(101))
    expect([byDefault.rows.length, byDefault.truncated]).toEqual([100, true])
    const exact = await runSql(store, numbers(7), { limit: 7 })
    expect([exact.rows.length, exact.truncated]).toEqual([7, false])
    const most = await runSql(store, numbers(10_001), { limit: 10_000 })
    expect([most.rows.length, most.truncated]).toEqual([10_000, true])
  })

  it('refuses a limit that makes no sense', async () => {
    for (const limit of [0, -1, 2.5, 10_001, Number.NaN]) {
      await expect(runSql(store, 'select 1', { limit })).rejects.toMatchObject({ code: 'USAGE' })
    }
  })

  it.each([
    'delete from meta',
    'update meta set value = 1',
    'drop table meta',
    'select 1; select 2',
    'pragma user_version',
    'nonsense',
    '',
  ])('refuses %j and changes nothing', async (query) => {
    await expect(runSql(store, query)).rejects.toMatchObject({ code: 'SQL_REFUSED' })
    expect((await runSql(store, "select count(*) from meta where key in ('plain', 'json')")).rows).toEqual([[2]])
  })
})
