import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Insertable } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clearRest, noteFailure } from '../analyze/llm/rest.ts'
import { putRemembered } from '../ledgers/remembered.ts'
import { processMark } from '../store/lease.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import type { ChunksTable, JobsTable } from '../store/tables.ts'
import { type HealthOptions, healthReport } from './health.ts'

const NOW = Date.UTC(2026, 1, 5, 12)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOBODY = 65_534
const clock = () => NOW
let folder: string
let path: string
let opened: Store[]
let store: Store

async function open(): Promise<Store> {
  const one = await openSqlite({ path, clock })
  opened.push(one)
  return one
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-health-'))
  path = join(folder, 'mnemonic.db')
  opened = []
  store = await open()
})

afterEach(async () => {
  for (const one of opened) await one.close()
  rmSync(folder, { recursive: true, force: true })
})

const health = (more: Partial<HealthOptions> = {}) => healthReport(async () => store, { clock, ...more })

async function broken(more: Partial<HealthOptions> = {}): Promise<{ name: string; status: string; message: string; hint?: string }[]> {
  return (await health(more)).checks.filter((check) => check.status !== 'OK')
}

async function addSession(id = 'a'): Promise<void> {
  await store.write((tx) => tx.db.insertInto('agent_sessions').values({ id, source: 'jsonl', native_id: id, label: id }).execute())
}

async function addJob(job: Partial<Insertable<JobsTable>>): Promise<void> {
  const row = { kind: 'sync', status: 'done', started_at: NOW - HOUR, finished_at: NOW - HOUR, ...job } as const
  await store.write((tx) => tx.db.insertInto('jobs').values(row).execute())
}

async function addChunk(embed_status: ChunksTable['embed_status']['__select__']): Promise<void> {
  await store.write(async (tx) => {
    await tx.db
      .insertInto('files')
      .values({ path: 'p', source: 'sessions', hash: 'h', kind: 'turn', identity: 'i', updated_at: 1 })
      .execute()
    await tx.db
      .insertInto('chunks')
      .values({
        path: 'p',
        source: 'sessions',
        ledger: 'agents',
        session_id: 'a',
        chunk_index: 0,
        timestamp: 1,
        speakers: '[]',
        message_ids: '[]',
        token_count: 1,
        trust: 'owner',
        content_hash: 'h',
        embed_status,
        created_at: 1,
      })
      .execute()
  })
}

async function closeAll(): Promise<void> {
  for (const one of opened.splice(0)) await one.close()
}

describe('health is OK', () => {
  it('of an empty home, with a hint to sync', async () => {
    const report = await health()
    expect(report.status).toBe('OK')
    expect(report.checks.find((check) => check.name === 'last_sync')?.hint).toContain('mnemonic sync')
  })

  it('after a sync whose sessions are all indexed', async () => {
    await addSession()
    await addJob({})
    await store.write(async (tx) => {
      await tx.db.insertInto('agent_session_history').values({ session_id: 'a', thread_id: 'a/1', created_at: 1 }).execute()
      await tx.db.insertInto('meta').values({ key: 'memory_sessions_ledger_cursor_v1', value: '1' }).execute()
    })
    await addChunk('waiting')
    expect(await broken()).toEqual([])
    expect((await health()).status).toBe('OK')
  })

  it('and asking leaves no trace in the database', async () => {
    const before = await store.read.selectFrom('meta').selectAll().execute()
    await health()
    expect(await store.read.selectFrom('meta').selectAll().execute()).toEqual(before)
  })

  it('when an earlier storage error was followed by a good run, and an interrupted one does not count', async () => {
    await addJob({ status: 'failed', error_code: 'STORAGE_ERROR', error_message: 'disk full' })
    await addJob({})
    await addJob({ status: 'interrupted' })
    expect((await health()).status).toBe('OK')
  })
})

describe('health is DEGRADED', () => {
  beforeEach(async () => {
    await addSession()
    await addJob({})
  })

  async function expectDegraded(name: string, hint: RegExp, more: Partial<HealthOptions> = {}): Promise<void> {
    const found = await broken(more)
    expect(found.map((check) => [check.name, check.status])).toEqual([[name, 'DEGRADED']])
    expect(found[0]?.hint).toMatch(hint)
    expect((await health(more)).status).toBe('DEGRADED')
  }

  it('on a quarantined file', async () => {
    const row = {
      adapter: 'jsonl',
      path: '/x',
      code: 'NOT_THIS_FORMAT',
      reasons_json: '[]',
      size: 1,
      mtime_ms: 1,
      first_seen: 1,
      last_seen: 1,
    }
    await store.write((tx) => tx.db.insertInto('quarantine').values(row).execute())
    await expectDegraded('quarantine', /mnemonic sql/)
  })

  it('on records that no adapter knew in the last month, by their names', async () => {
    const row = { adapter: 'codex', path: '/x', first_seen: 1, count: 3 }
    await store.write((tx) =>
      tx.db
        .insertInto('format_drift')
        .values([
          { ...row, name: 'long-ago', last_seen: NOW - 31 * DAY },
          { ...row, name: 'foo', last_seen: NOW - 29 * DAY },
          { ...row, name: 'foo', path: '/y', last_seen: NOW },
        ])
        .execute(),
    )
    await expectDegraded('unknown_records', /\/x/)
    expect((await broken())[0]?.message).toBe('6 records of 1 unknown kind left out: codex "foo" (6)')
    await store.write((tx) => tx.db.deleteFrom('format_drift').where('name', '=', 'foo').execute())
    expect((await health()).status).toBe('OK')
  })

  it('on a chunk that failed', async () => {
    await addChunk('failed')
    await expectDegraded('failed_chunks', /mnemonic embed --all/)
  })

  it.each([
    ['failed', 'failed_chunks'],
    ['partial', 'clipped_sessions'],
  ] as const)('on a session whose index is %s', async (status, name) => {
    const row = { session_id: 'a', file_path: 'p', file_hash: 'h', last_indexed: 1, chunk_count: 1, status }
    await store.write((tx) => tx.db.insertInto('index_state').values(row).execute())
    await expectDegraded(name, /mnemonic index/)
  })

  it('on a mail too long to be indexed whole, which belongs to no session', async () => {
    const path = 'events/gmail/3f2a1c9d.md'
    const row = { path, source: 'events', hash: 'h', kind: 'episode', identity: 'i', updated_at: 1, shortened: '["gmail:a"]' } as const
    await store.write((tx) => tx.db.insertInto('files').values(row).execute())
    await expectDegraded('clipped_sessions', /mnemonic show events\/gmail\/3f2a1c9d\.md/)
  })

  it('on a session that waits to be indexed', async () => {
    const row = { session_id: 'a', thread_id: 'a/1', created_at: 1 }
    await store.write((tx) => tx.db.insertInto('agent_session_history').values(row).execute())
    await expectDegraded('waiting_chunks', /mnemonic index/)
  })

  it.each([
    ['interrupted', { status: 'interrupted' }],
    ['failed', { status: 'failed', error_code: 'EMBEDDING_FAILED', error_message: 'no server' }],
    ['out of time', { details_json: '{"stopped":"budget"}' }],
    ['at the limit on spend', { details_json: '{"stopped":"cap"}', error_message: 'daily_tokens' }],
    ['killed', { status: 'running', details_json: JSON.stringify({ ...processMark(), pid: 4_194_303 }) }],
  ] as const)('on chunks without vectors when the last embedding ended %s, only where chunks are embedded', async (_, job) => {
    await addChunk('waiting')
    await addJob({ kind: 'embed' })
    expect(await broken({ embeds: true })).toEqual([])
    await addJob({ kind: 'embed', ...job })
    expect(await broken()).toEqual([])
    await expectDegraded('waiting_chunks', /mnemonic embed/, { embeds: true })
  })

  it('never says that all is done while texts wait for bits of their tokens', async () => {
    const said = async () => {
      const { checks } = await health({ embeds: true })
      return checks.find(({ name }) => name === 'waiting_chunks')
    }
    const keep = (value: string, rows: number) =>
      store.write(async ({ db }) => {
        await db.deleteFrom('meta').where('key', '=', 'token_bits').execute()
        await db.insertInto('meta').values({ key: 'token_bits', value }).execute()
        for (let number = 1; number <= rows; number++) await db.insertInto('token_bits').values({ number, wanted: 1 }).execute()
      })
    expect(await said()).toMatchObject({ status: 'OK', message: 'the index is up to date' })
    await keep('kept', 2)
    expect(await said()).toMatchObject({
      status: 'OK',
      message: expect.stringContaining('2 texts of agents’ sessions'),
      hint: 'Run mnemonic embed.',
    })
    await keep('none', 0)
    expect(await said()).toMatchObject({ status: 'OK', message: 'the index is up to date' })
  })

  it('not on chunks without vectors while they are being embedded, or before anything was', async () => {
    await addChunk('waiting')
    expect(await broken({ embeds: true })).toEqual([])
    await addJob({ kind: 'embed', status: 'running', details_json: JSON.stringify(processMark()) })
    expect(await broken({ embeds: true })).toEqual([])
  })

  it('on a sync that a fault of ours ended, until one comes to its end', async () => {
    await addJob({ status: 'failed', error_code: 'INTERNAL', error_message: 'Maximum call stack size exceeded' })
    await expectDegraded('jobs', /Run the same command again/)
    await addJob({})
    expect(await broken()).toEqual([])
  })

  it('on a model that is left alone after failed calls, until one is answered', async () => {
    const of = { provider: 'ollama', model: 'm' }
    for (const _ of [1, 2]) await noteFailure(store, of, { message: 'no answer', now: NOW })
    expect(await broken()).toEqual([])
    await noteFailure(store, of, { message: 'no answer', now: NOW })
    await expectDegraded('analyses', /mnemonic analyze/)
    await clearRest(store, of)
    expect(await broken()).toEqual([])
  })

  it('never on proposals of agents: it tells how many wait for a person', async () => {
    const says = async () => (await health()).checks.find(({ name }) => name === 'proposals')
    expect(await says()).toMatchObject({ status: 'OK', message: 'no proposal of an agent waits for you' })
    const statement = {
      type: 'fact',
      text: 'orders-db listens on 5433',
      entity: null,
      project: null,
      corrects: null,
      alias: null,
      relation: null,
    } as const
    await store.write((tx) => putRemembered(tx, statement, { agentId: 'main', now: NOW, by: 'agent' }))
    expect(await says()).toMatchObject({ status: 'OK', message: expect.stringContaining('1 proposal of agents waits for you') as string })
    await store.write((tx) => putRemembered(tx, statement, { agentId: 'main', now: NOW, by: 'owner' }))
    expect((await says())?.message).toBe('no proposal of an agent waits for you')
  })

  it('when the last sync is more than 7 days old', async () => {
    await store.write((tx) =>
      tx.db
        .updateTable('jobs')
        .set({ finished_at: NOW - 7 * DAY })
        .execute(),
    )
    expect(await broken()).toEqual([])
    await store.write((tx) =>
      tx.db
        .updateTable('jobs')
        .set({ finished_at: NOW - 7 * DAY - 1 })
        .execute(),
    )
    await expectDegraded('last_sync', /mnemonic sync/)
  })

  it('when there are sessions and no sync came to its end', async () => {
    await store.write((tx) => tx.db.deleteFrom('jobs').execute())
    await expectDegraded('last_sync', /mnemonic sync/)
  })

  it.each([
    ['embedding', 'embedding.daily_usd', { cost_usd: 2 }],
    ['session_summary', 'analyze.daily_tokens', { input_tokens: 90, output_tokens: 10 }],
  ])('when the daily limit of %s is reached, and only on that day', async (purpose, key, amount) => {
    const caps = { embedding: { daily_tokens: 1000, daily_usd: 2 }, analyze: { daily_tokens: 100, daily_usd: 0 } }
    const row = { provider: 'p', model: 'm', purpose, created_at: 1, ...amount }
    await store.write((tx) =>
      tx.db
        .insertInto('llm_spend')
        .values({ ...row, day: '2026-02-04' })
        .execute(),
    )
    expect(await broken({ caps })).toEqual([])
    await store.write((tx) =>
      tx.db
        .insertInto('llm_spend')
        .values({ ...row, day: '2026-02-05' })
        .execute(),
    )
    await expectDegraded('spend', new RegExp(key), { caps })
  })
})

describe('health is ERROR', () => {
  it('when the last job of a kind ended in a storage error, whatever else went well', async () => {
    await addJob({ kind: 'index', status: 'failed', error_code: 'STORAGE_ERROR', error_message: 'disk full' })
    await addJob({})
    const [check, ...others] = await broken()
    expect(others).toEqual([])
    expect(check).toMatchObject({ name: 'jobs', status: 'ERROR', message: expect.stringContaining('disk full') })
    expect((await health()).status).toBe('ERROR')
  })

  it('when the file is garbage, which stays as it was', async () => {
    await closeAll()
    rmSync(path)
    writeFileSync(path, 'this is no database, only some words')
    const report = await healthReport(open, { clock })
    expect(report.status).toBe('ERROR')
    expect(report.checks).toEqual([
      {
        name: 'database',
        status: 'ERROR',
        message: expect.stringContaining('not an SQLite'),
        hint: expect.stringContaining('Nothing was changed'),
      },
    ])
    expect(readFileSync(path, 'utf8')).toBe('this is no database, only some words')
  })

  it('when a newer program wrote the database', async () => {
    await store.write((tx) =>
      (tx.db as never as import('kysely').Kysely<{ schema_migrations: { name: string; applied_at: number } }>)
        .insertInto('schema_migrations')
        .values({ name: '999_future.sql', applied_at: 1 })
        .execute(),
    )
    await closeAll()
    const report = await healthReport(open, { clock })
    expect(report.status).toBe('ERROR')
    expect(report.checks[0]).toMatchObject({ name: 'database', message: expect.stringContaining('999_future.sql') })
  })

  it('when the file may only be read', async () => {
    await closeAll()
    const isRoot = process.getuid?.() === 0
    if (isRoot) for (const dir of [folder, path]) chownSync(dir, NOBODY, NOBODY)
    chmodSync(path, 0o400)
    // Root ignores read-only modes: run as another user.
    if (isRoot) process.seteuid?.(NOBODY)
    try {
      const report = await healthReport(open, { clock })
      expect(report.status).toBe('ERROR')
      expect(report.checks.find((check) => check.status === 'ERROR')).toMatchObject({
        message: expect.stringMatching(/permission denied|readonly|read-only/i),
        hint: expect.stringMatching(/mnemonic doctor|folder is yours/),
      })
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  })

  it('when the database opens but refuses to be written', async () => {
    await closeAll()
    const raw = new Database(path)
    raw.exec("create trigger full before insert on meta begin select raise(abort, 'no room'); end")
    raw.close()
    const report = await healthReport(open, { clock })
    expect(report.status).toBe('ERROR')
    expect(report.checks.filter((check) => check.status === 'ERROR')).toEqual([
      { name: 'write', status: 'ERROR', message: expect.stringContaining('no room'), hint: expect.any(String) },
    ])
  })

  it('when a table is damaged, and the other questions are still answered', async () => {
    await closeAll()
    const raw = new Database(path)
    raw.exec('drop table quarantine')
    raw.close()
    const report = await healthReport(open, { clock })
    expect(report.checks.filter((check) => check.status === 'ERROR').map((check) => check.name)).toEqual(['quarantine'])
    expect(report.checks.at(-1)).toMatchObject({ name: 'last_sync', status: 'OK' })
  })
})

it('calls no page of a whole database damaged', async () => {
  const report = await healthReport(open, { clock })
  expect(report.checks.find((check) => check.name === 'pages')).toMatchObject({ status: 'OK' })
})
