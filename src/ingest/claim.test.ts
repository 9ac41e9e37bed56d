/** Files are claimed by content, and one file's failure affects no other. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { SAMPLE_SOURCES } from '../../test/helpers/sources/all.ts'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import { healthReport } from '../operations/health.ts'
import type { Store } from '../store/store.ts'
import type { Adapter } from './adapter.ts'
import { aixAgents } from './capture/aix-agents.ts'
import { cursor } from './capture/cursor.ts'
import { jsonl } from './capture/jsonl.ts'
import { nexus } from './capture/nexus.ts'
import { opencode } from './capture/opencode.ts'
import { syncSources } from './sync.ts'
import { walk } from './walk.ts'

async function sync(store: Store, adapters: readonly Adapter[], path?: string) {
  const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
  const byPath = path === undefined ? {} : { path, byContent: true }
  const { totals } = await syncSources({ store, adapters, ...byPath, ...options })
  expect(totals.found).toBe(totals.imported + totals.unchanged + totals.quarantined)
  return totals
}

const health = async (store: Store) => {
  const { checks } = await healthReport(async () => store, { clock: () => NOON })
  return checks.find(({ name }) => name === 'quarantine')?.status
}

const said = (text: string) => `${JSON.stringify({ role: 'user', content: text, timestamp: '2026-02-05T10:30:00Z' })}\n`

/** An adapter that fails on one file. */
function faulty(over: Partial<Adapter>): Adapter {
  return { ...jsonl({ paths: [] }), name: 'faulty', recognises: () => false, ...over }
}

describe('an adapter that fails over a file', () => {
  it('when it recognises: that file is set aside with the reason, the others arrive, and health says so', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    writeFileSync(join(folder, 'good.jsonl'), said('The harbour is open.'))
    writeFileSync(join(folder, 'odd.txt.jsonl'), '{}\n')
    const fails = faulty({
      recognises(_, path) {
        if (path.includes('odd')) throw new RangeError('Maximum call stack size exceeded')
        return false
      },
    })
    const adapters = [fails, jsonl({ paths: [] })]
    expect(await sync(store, adapters, folder)).toMatchObject({ found: 2, imported: 1, quarantined: 1 })
    expect(await store.read.selectFrom('quarantine').select(['adapter', 'code', 'reasons_json']).execute()).toEqual([
      { adapter: 'faulty', code: 'INTERNAL', reasons_json: '["Maximum call stack size exceeded"]' },
    ])
    expect(await health(store)).toBe('DEGRADED')
    expect(await sync(store, adapters, folder)).toMatchObject({ unchanged: 2, quarantined: 0 })
  })

  it('when it recognises a file that another one knows: that one reads it', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    writeFileSync(join(folder, 'good.jsonl'), said('The harbour is open.'))
    const fails = faulty({
      recognises() {
        throw new TypeError('no')
      },
    })
    expect(await sync(store, [fails, jsonl({ paths: [] })], folder)).toMatchObject({ found: 1, imported: 1, quarantined: 0 })
  })

  it('when it looks for files: its folder is set aside until it works again, and the other adapters go on', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    writeFileSync(join(folder, 'good.jsonl'), said('The harbour is open.'))
    let broken = true
    const fails = faulty({
      defaultPaths: () => [folder],
      async *discover() {
        if (broken) throw new RangeError('Maximum call stack size exceeded')
        yield* []
      },
    })
    const adapters = [fails, jsonl({ paths: [folder] })]
    expect(await sync(store, adapters)).toMatchObject({ found: 2, imported: 1, quarantined: 1 })
    expect(await health(store)).toBe('DEGRADED')
    expect(await sync(store, adapters)).toMatchObject({ unchanged: 2, quarantined: 0 })
    broken = false
    expect(await sync(store, adapters)).toMatchObject({ found: 1, unchanged: 1 })
    expect(await health(store)).toBe('OK')
  })

  it('when it looks into a file to accept it: the file is found, and the walk goes on', async () => {
    const folder = tempFolder()
    for (const name of ['a.json', 'b.json', 'c.json']) writeFileSync(join(folder, name), '{}')
    const accept = (path: string) => {
      if (path.endsWith('b.json')) throw new RangeError('Maximum call stack size exceeded')
      return path.endsWith('c.json')
    }
    const found: string[] = []
    for await (const { path } of walk(folder, { accept, warn: () => {} })) found.push(path.slice(folder.length + 1))
    expect(found).toEqual(['b.json', 'c.json'])
  })
})

describe('a database', () => {
  const ADAPTERS = [cursor(), nexus(), opencode(), aixAgents(), jsonl({ paths: [] })]

  /** Pushes the other definitions beyond the first 64 KB. */
  function databaseWith(path: string, sql: string, mode = 'delete'): void {
    const db = new Database(path)
    db.pragma(`journal_mode = ${mode}`)
    db.exec(`create table other (a text /* ${'x'.repeat(100_000)} */)`)
    db.exec(sql)
    db.close()
  }

  it.each([
    [
      'aix-agents',
      `create table agent_sessions (id text primary key, source text); create table agent_messages (id text, session_id text, role text, content text, sequence integer);
       create table agent_turns (id text); create table agent_tool_calls (id text, session_id text, message_id text, tool_name text, result_json text);
       insert into agent_sessions values ('cursor:a', 'cursor');
       insert into agent_messages values ('cursor:a/1', 'cursor:a', 'user', 'Which port?', 1);`,
    ],
    [
      'nexus',
      `create table sessions (label text, thread_id text, created_at integer); create table turns (id text, parent_turn_id text, started_at integer);
       create table messages (id text, turn_id text, role text, content text, sequence integer);
       insert into sessions values ('a', 't1', 1); insert into turns values ('t1', null, 1);
       insert into messages values ('m1', 't1', 'user', 'Which port?', 1);`,
    ],
  ])('of %s is known by its tables, wherever they stand in the file', async (name, sql) => {
    for (const mode of ['delete', 'wal']) {
      const [store, folder] = [await tempStore(), tempFolder()]
      const path = join(folder, 'what.sqlite')
      databaseWith(path, sql, mode)
      const totals = await sync(store, ADAPTERS, path)
      expect([name, mode, totals.imported, totals.warnings]).toEqual([name, mode, 1, []])
      const [state] = await store.read.selectFrom('sync_state').select('adapter').execute()
      expect(state?.adapter).toBe(name)
      expect(readdirSync(folder)).toEqual(['what.sqlite'])
    }
  })

  it('is not taken for a ledger because somebody talked about one', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = join(folder, 'notes.db')
    const db = new Database(path)
    db.exec('create table notes (text text)')
    db.prepare('insert into notes values (?)').run('CREATE TABLE agent_sessions (id TEXT); CREATE TABLE cursorDiskKV (key TEXT)')
    db.close()
    expect(await sync(store, ADAPTERS, path)).toMatchObject({ imported: 0 })
  })

  it('of every sample is known by its tables, and by nobody else’s', async () => {
    const store = await tempStore()
    const own = (root: string) => SAMPLE_SOURCES.map((source) => source.adapter(root))
    const exchange = { prompt: 'Which port?', answer: '9000.', at: NOON }
    for (const source of SAMPLE_SOURCES.filter(({ kind }) => kind === 'database')) {
      const root = tempFolder()
      const path = source.write(root, 'one', [exchange])
      const database = await store.openSource(path)
      const known = own(root).filter((adapter) => adapter.recognisesDatabase?.(database, path))
      database.close()
      expect([source.name, known.map(({ name }) => name)]).toEqual([source.name, [source.name]])
    }
  })
})

it('what it takes to recognise a file is counted for the adapter that reads it', async () => {
  const [store, folder] = [await tempStore(), tempFolder()]
  const text = said('The harbour is open.')
  writeFileSync(join(folder, 'chat.jsonl'), text)
  const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
  const adapters = [faulty({}), jsonl({ paths: [] })]
  const report = await syncSources({ store, adapters, path: folder, byContent: true, ...options })
  const bytes = Object.fromEntries(report.adapters.map(({ name, bytes_read }) => [name, bytes_read]))
  expect(bytes.faulty).toBe(0)
  expect(bytes.jsonl).toBeGreaterThanOrEqual(2 * text.length)
})
