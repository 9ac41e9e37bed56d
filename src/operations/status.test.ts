import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolvePaths } from '../config/paths.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { statusReport } from './status.ts'

const NOW = Date.UTC(2026, 1, 5, 12)
const HOUR = 3_600_000
const clock = () => NOW
let folder: string
let store: Store

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-status-'))
  store = await openSqlite({ path: join(folder, 'home', 'mnemonic.db'), clock })
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const paths = () => resolvePaths({ home: join(folder, 'home'), workspace: join(folder, 'workspace'), env: {} })
const report = () => statusReport(store, { version: '9.9.9', paths: paths(), agentId: 'main', identity: 'test-identity', clock })

async function session(id: string, more: { agent_id?: string; is_subagent?: number } = {}): Promise<void> {
  await store.write((tx) =>
    tx.db
      .insertInto('agent_sessions')
      .values({ id, source: 'jsonl', native_id: id, label: id, ...more })
      .execute(),
  )
}

describe('statusReport', () => {
  it('says of an empty home that there is nothing, and has every metric', async () => {
    const empty = await report()
    expect(empty.agents).toEqual({ sessions: 0, subagents: 0, messages: 0, turns: 0, tool_calls: 0, compactions: 0 })
    expect(empty.last_sync).toBeNull()
    expect(empty.index).toEqual({
      ...{ identity: 'test-identity', documents: 0, chunks: 0, waiting_sessions: 0, partial_sessions: 0, cursor: 0 },
      ...{ tools: 'all', work_calls: 0, waiting_work_sessions: 0 },
    })
    expect(empty.sources).toEqual([])
    expect(empty.metrics).toEqual({
      total_chunks: 0,
      total_sessions: 0,
      last_indexed: null,
      avg_index_time_per_session_ms: null,
      avg_search_latency_ms: null,
      search_count_24h: 0,
      failed_chunks: 0,
      quarantined_sessions: 0,
      storage_used_mb: expect.any(Number),
    })
    expect(empty.sizes).toEqual({
      database_bytes: expect.any(Number),
      vectors_bytes: 0,
      token_bits_bytes: 0,
      artifacts_bytes: 0,
      models_bytes: 0,
    })
    expect(empty.sizes.database_bytes).toBeGreaterThan(0)
  })

  it('counts sessions, and how many of them are subagents', async () => {
    await session('a')
    await session('b', { is_subagent: 1 })
    expect((await report()).agents).toMatchObject({ sessions: 2, subagents: 1 })
    expect((await report()).metrics.total_sessions).toBe(2)
  })

  it('counts sessions beyond the cursor of their agent, each once', async () => {
    for (const id of ['a', 'b']) await session(id)
    await session('c', { agent_id: 'nora' })
    await store.write(async (tx) => {
      const moves = ['a', 'a', 'b', 'b', 'c'].map((id) => ({ session_id: id, thread_id: `${id}/1`, created_at: 1 }))
      await tx.db.insertInto('agent_session_history').values(moves).execute()
    })
    expect((await report()).index.waiting_sessions).toBe(3)
    await store.write((tx) => tx.db.insertInto('meta').values({ key: 'memory_sessions_ledger_cursor_v1', value: '2' }).execute())
    expect((await report()).index).toMatchObject({ waiting_sessions: 2, cursor: 2 })
    await store.write((tx) => tx.db.insertInto('meta').values({ key: 'memory_sessions_ledger_cursor_v1:nora', value: '5' }).execute())
    expect((await report()).index).toMatchObject({ waiting_sessions: 1, cursor: 2 })
  })

  it('takes last_sync from the newest sync that was done', async () => {
    const job = { kind: 'sync', items: 1, duration_ms: 10 }
    await store.write((tx) =>
      tx.db
        .insertInto('jobs')
        .values([
          { ...job, status: 'done', started_at: NOW - 9 * HOUR, finished_at: NOW - 8 * HOUR },
          { ...job, status: 'failed', started_at: NOW - HOUR, finished_at: NOW },
          { ...job, kind: 'index', status: 'done', started_at: NOW, finished_at: NOW },
        ])
        .execute(),
    )
    expect((await report()).last_sync).toBe('2026-02-05T04:00:00.000Z')
  })

  it('averages index time over sessions, and latency over searches', async () => {
    await session('a')
    await store.write(async (tx) => {
      const job = { kind: 'index', status: 'done', started_at: 1, finished_at: 2 } as const
      await tx.db
        .insertInto('jobs')
        .values([
          { ...job, items: 3, duration_ms: 600 },
          { ...job, items: 1, duration_ms: 200 },
          { ...job, items: 0, duration_ms: 5000 },
        ])
        .execute()
      const search = { agent_id: 'main', mode: 'lexical', hits: 1 }
      await tx.db
        .insertInto('search_log')
        .values([
          { ...search, latency_ms: 10, created_at: NOW - 25 * HOUR },
          { ...search, latency_ms: 20, created_at: NOW - HOUR },
          { ...search, latency_ms: 60, created_at: NOW },
        ])
        .execute()
      await tx.db
        .insertInto('index_state')
        .values({ session_id: 'a', file_path: 'p', file_hash: 'h', last_indexed: NOW - HOUR, chunk_count: 1, status: 'partial' })
        .execute()
    })
    expect((await report()).metrics).toMatchObject({
      avg_index_time_per_session_ms: 200,
      avg_search_latency_ms: 30,
      search_count_24h: 2,
      last_indexed: '2026-02-05T11:00:00.000Z',
    })
    expect((await report()).index.partial_sessions).toBe(1)
  })

  it('lists each adapter with what it read and what it refused', async () => {
    await store.write(async (tx) => {
      const state = { size: 1, mtime_ms: 1, updated_at: NOW - HOUR, records: 1 }
      await tx.db
        .insertInto('sync_state')
        .values([
          { ...state, adapter: 'jsonl', path: '/a', status: 'done' },
          { ...state, adapter: 'jsonl', path: '/b', status: 'quarantined', updated_at: NOW },
          { ...state, adapter: 'memory', path: 'NOTES.md', status: 'done' },
          { ...state, adapter: 'memory', path: 'MEMORY.md', status: 'done', records: 0 },
        ])
        .execute()
      const refused = { code: 'NOT_THIS_FORMAT', reasons_json: '[]', size: 1, mtime_ms: 1, first_seen: 1, last_seen: 1 }
      await tx.db
        .insertInto('quarantine')
        .values([
          { ...refused, adapter: 'jsonl', path: '/b' },
          { ...refused, adapter: 'codex', path: '/c' },
        ])
        .execute()
    })
    const { sources, metrics } = await report()
    expect(sources).toEqual([
      { adapter: 'codex', units: 0, quarantined: 1, last_read: null },
      { adapter: 'jsonl', units: 1, quarantined: 1, last_read: '2026-02-05T11:00:00.000Z' },
      { adapter: 'memory', units: 1, quarantined: 0, last_read: '2026-02-05T11:00:00.000Z' },
    ])
    expect(metrics.quarantined_sessions).toBe(2)
  })

  it('measures artifacts, models and vectors', async () => {
    mkdirSync(join(paths().memory, 'deep'), { recursive: true })
    mkdirSync(paths().models, { recursive: true })
    writeFileSync(join(paths().memory, 'a.md'), 'x'.repeat(10))
    writeFileSync(join(paths().memory, 'deep', 'b.md'), 'x'.repeat(5))
    writeFileSync(join(paths().models, 'model.bin'), Buffer.alloc(2 * 1024 * 1024))
    await store.write(async (tx) => {
      await tx.db.insertInto('embedding_configs').values({ id: 'c', name: 'c', model: 'm', dimensions: 8, created_at: 1 }).execute()
      const vector = { config_id: 'c', content_hash: 'h', vector: Buffer.alloc(16), created_at: 1 }
      await tx.db
        .insertInto('embeddings')
        .values([
          { ...vector, id: '1', owner_type: 'chunk', owner_id: '1' },
          { ...vector, id: '2', owner_type: 'entity', owner_id: '2' },
        ])
        .execute()
    })
    const { sizes, metrics } = await report()
    expect(sizes).toMatchObject({ artifacts_bytes: 15, models_bytes: 2 * 1024 * 1024, vectors_bytes: 33 })
    expect(metrics.storage_used_mb).toBeCloseTo((sizes.database_bytes + 15) / 1024 / 1024 + 2, 1)
  })
})
