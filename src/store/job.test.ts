import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MnemonicError } from '../core/error.ts'
import { finishJob, lastDone, startJob } from './job.ts'
import { processMark, withLease } from './lease.ts'
import { openSqlite } from './sqlite/open.ts'
import type { Store } from './store.ts'

let folder: string
let store: Store
let now: number
const clock = () => now

beforeEach(async () => {
  now = 1_700_000_000_000
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-job-'))
  store = await openSqlite({ path: join(folder, 'm.db'), clock })
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function job(id: number) {
  return store.read.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function pretend(id: number, mark: object): Promise<void> {
  await store.write((tx) =>
    tx.db
      .updateTable('jobs')
      .set({ details_json: JSON.stringify({ ...processMark(), ...mark }) })
      .where('id', '=', id)
      .execute(),
  )
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  return child.pid as number
}

describe('jobs', () => {
  it('a job that ends well has its duration, items and details', async () => {
    const id = await startJob(store, { kind: 'sync', agentId: 'main', clock })
    expect(await job(id)).toMatchObject({ status: 'running', kind: 'sync', finished_at: null })
    now += 1234
    await finishJob(store, id, { status: 'done', items: 7, details: { records: 3 }, clock })
    expect(await job(id)).toMatchObject({ status: 'done', items: 7, duration_ms: 1234, finished_at: now, error_code: null })
    expect(JSON.parse((await job(id)).details_json ?? '')).toEqual({ records: 3 })
  })

  it('a job that fails keeps code and message, clipped', async () => {
    const id = await startJob(store, { kind: 'sync', agentId: 'main', clock })
    const error = new MnemonicError('STORAGE_ERROR', `disk ${'x'.repeat(9000)}`)
    await finishJob(store, id, { status: 'failed', items: 0, error, clock })
    const row = await job(id)
    expect(row).toMatchObject({ status: 'failed', error_code: 'STORAGE_ERROR' })
    expect(row.error_message?.length).toBe(500)
  })

  it('a closed job stays as it was closed', async () => {
    const id = await startJob(store, { kind: 'sync', agentId: 'main', clock })
    await finishJob(store, id, { status: 'done', items: 1, clock })
    await finishJob(store, id, { status: 'failed', items: 0, clock })
    expect(await job(id)).toMatchObject({ status: 'done', items: 1 })
  })

  it('the next start marks a job of a killed process as interrupted, and leaves a live one and other kinds alone', async () => {
    const killed = await startJob(store, { kind: 'sync', agentId: 'main', clock })
    const otherKind = await startJob(store, { kind: 'index', agentId: 'main', clock })
    const pid = await deadPid()
    await pretend(killed, { pid })
    await pretend(otherKind, { pid })
    const live = await startJob(store, { kind: 'sync', agentId: 'main', clock })
    expect((await job(killed)).status).toBe('interrupted')
    await startJob(store, { kind: 'sync', agentId: 'main', clock })
    expect((await job(live)).status).toBe('running')
    expect((await job(otherKind)).status).toBe('running')
  })

  it('a start under the lease closes whatever still runs, also of another host', async () => {
    const elsewhere = await startJob(store, { kind: 'sync', agentId: 'main', clock })
    await pretend(elsewhere, { host: 'elsewhere' })
    await startJob(store, { kind: 'sync', agentId: 'main', clock })
    expect((await job(elsewhere)).status).toBe('running')
    await withLease(store, { name: 'sync', clock, ttlMs: 1000, waitMs: 0 }, (lease) =>
      startJob(store, { kind: 'sync', agentId: 'main', clock, lease }),
    )
    expect((await job(elsewhere)).status).toBe('interrupted')
  })

  it('lastDone is the newest that ended well', async () => {
    expect(await lastDone(store, 'sync')).toBeUndefined()
    const first = await startJob(store, { kind: 'sync', agentId: 'main', clock })
    await finishJob(store, first, { status: 'done', items: 0, clock })
    const ended = now
    now += 5000
    const second = await startJob(store, { kind: 'sync', agentId: 'main', clock })
    await finishJob(store, second, { status: 'failed', items: 0, error: new Error('x'), clock })
    expect(await lastDone(store, 'sync')).toBe(ended)
  })
})
