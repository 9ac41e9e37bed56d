import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../core/clock.ts'
import { isDead, type LeaseOptions, processMark, withLease } from './lease.ts'
import { openSqlite } from './sqlite/open.ts'
import type { Store } from './store.ts'

const DAY = 86_400_000
let folder: string
let store: Store
let other: Store
let children: ChildProcess[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-lease-'))
  store = await openSqlite({ path: join(folder, 'm.db'), clock: systemClock })
  other = await openSqlite({ path: join(folder, 'm.db'), clock: systemClock })
  children = []
})

afterEach(async () => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await store.close()
  await other.close()
  rmSync(folder, { recursive: true, force: true })
})

function options(more: Partial<LeaseOptions> = {}): LeaseOptions {
  return { name: 'sync', clock: systemClock, ttlMs: 60_000, waitMs: 0, ...more }
}

async function rows(): Promise<{ name: string; pid: number; owner: string; expires_at: number }[]> {
  return store.read.selectFrom('leases').selectAll().execute()
}

async function idleProcess(): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], { stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  await once(child.stdout, 'data')
  return child as unknown as ChildProcess & { pid: number }
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** A lease as another live process writes it. */
async function seed(row: { pid: number; host?: string; mark: string; expires?: number }): Promise<void> {
  const now = systemClock()
  const values = { name: 'sync', owner: `someone/${row.mark}`, pid: row.pid, host: row.host ?? hostname() }
  await store.write((tx) =>
    tx.db
      .insertInto('leases')
      .values({ ...values, acquired_at: now - 5000, expires_at: row.expires ?? now + DAY })
      .execute(),
  )
}

/** Computed as the process itself would compute it. */
async function markOf(pid: number): Promise<string> {
  const { readFileSync } = await import('node:fs')
  const namespace = processMark().mark.split('.')[0]
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return `${namespace}.${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
}

const linux = process.platform === 'linux'

describe('withLease', () => {
  it('gives back what the work gives, and leaves no row', async () => {
    const seen = await withLease(store, options(), async () => (await rows()).map((row) => [row.name, row.pid]))
    expect(seen).toEqual([['sync', process.pid]])
    expect(await rows()).toEqual([])
  })

  it('releases when the work throws, and throws the same error', async () => {
    const failed = withLease(store, options(), async () => {
      throw new RangeError('no')
    })
    await expect(failed).rejects.toBeInstanceOf(RangeError)
    expect(await rows()).toEqual([])
  })

  it('refuses a second holder at once, naming pid and start', async () => {
    await withLease(store, options(), async () => {
      const second = withLease(other, options(), async () => 'never')
      await expect(second).rejects.toMatchObject({ code: 'JOB_RUNNING', details: { pid: process.pid, host: hostname(), lease: 'sync' } })
      await expect(withLease(other, options(), async () => 0)).rejects.toThrow(/pid \d+ .* since 20\d\d-/)
    })
  })

  it('lets leases of other names through', async () => {
    const got = await withLease(store, options(), () => withLease(other, options({ name: 'index' }), async () => 'both'))
    expect(got).toBe('both')
  })

  it('waits for the holder and says once that it waits', async () => {
    const order: string[] = []
    let waits = 0
    let held = () => {}
    const isHeld = new Promise<void>((resolve) => (held = resolve))
    const first = withLease(store, options({ job: 'index' }), async () => {
      held()
      while (waits === 0) await sleep(10)
      // Long enough for the other one to poll a few times.
      await sleep(500)
      order.push('first')
    })
    await isHeld
    await withLease(
      other,
      options({
        waitMs: 60_000,
        onProgress: (event) => (waits += event.stage === 'wait' && event.pid === process.pid && event.job === 'index' ? 1 : 100),
      }),
      async () => {
        order.push('second')
      },
    )
    await first
    expect(order).toEqual(['first', 'second'])
    expect(waits).toBe(1)
  })

  it('lets only one of many in at a time', async () => {
    let inside = 0
    let most = 0
    const work = async () => {
      inside += 1
      most = Math.max(most, inside)
      await sleep(5)
      inside -= 1
    }
    await Promise.all(Array.from({ length: 8 }, (_, i) => withLease(i % 2 ? store : other, options({ waitMs: 20_000 }), work)))
    expect(most).toBe(1)
  })

  it('takes over an expired lease of another host', async () => {
    await seed({ pid: 1, host: 'elsewhere', mark: 'x.1', expires: systemClock() - 1 })
    expect(await withLease(store, options(), async () => 'mine')).toBe('mine')
  })

  it('waits no longer than the length of a lease whose holder saw a later clock', async () => {
    const later = () => systemClock() + 30 * DAY
    await store.write((tx) =>
      tx.db
        .insertInto('leases')
        .values({
          ...{ name: 'sync', owner: 'someone/x.1', pid: 1, host: 'elsewhere' },
          ...{ acquired_at: later(), expires_at: later() + 600, ttl_ms: 600, job: 'sync' },
        })
        .execute(),
    )
    const waited: number[] = []
    const onProgress: LeaseOptions['onProgress'] = (event) => event.stage === 'wait' && waited.push(event.since)
    expect(await withLease(store, options({ waitMs: 20_000, onProgress }), async () => 'mine')).toBe('mine')
    expect(waited).toHaveLength(1)
    expect(waited[0]).toBeLessThanOrEqual(systemClock())
  })

  it('a holder whose clock is set back keeps its lease, at its proper length', async () => {
    let now = 10 * DAY
    const clock = () => now
    await withLease(store, options({ clock, ttlMs: 9000 }), async (lease) => {
      now -= 5 * DAY
      await expect(withLease(other, options({ clock, ttlMs: 9000 }), async () => 0)).rejects.toMatchObject({ code: 'JOB_RUNNING' })
      expect((await rows())[0]?.expires_at).toBe(now + 9000)
      now += 8000
      await store.write((tx) => lease.check(tx))
      expect((await rows())[0]?.expires_at).toBe(now + 9000)
      now -= DAY
      await store.write((tx) => lease.check(tx))
      expect((await rows())[0]?.expires_at).toBe(now + 9000)
    })
  })

  it('stops waiting when asked to, and leaves the holder alone', async () => {
    await withLease(store, options(), async () => {
      const stop = new AbortController()
      const onProgress = () => stop.abort()
      const second = withLease(other, options({ waitMs: DAY, signal: stop.signal, onProgress }), async () => 'never')
      await expect(second).rejects.toMatchObject({ code: 'INTERRUPTED' })
      expect((await rows()).map(({ pid }) => pid)).toEqual([process.pid])
    })
  })

  it('stops waiting for the write lock when asked to', async () => {
    const stop = new AbortController()
    let free: () => void = () => undefined
    let locked = () => {}
    const isLocked = new Promise<void>((resolve) => (locked = resolve))
    const held = store.write(() => {
      locked()
      return new Promise<void>((resolve) => (free = resolve))
    })
    await isLocked
    const second = withLease(other, options({ waitMs: DAY, signal: stop.signal }), async () => 'never')
    setTimeout(() => stop.abort(), 100)
    await expect(second).rejects.toMatchObject({ code: 'INTERRUPTED' })
    free()
    await held
    expect(await rows()).toEqual([])
  })

  it('respects an unexpired lease of another host', async () => {
    await seed({ pid: 4_000_000, host: 'elsewhere', mark: 'x.1' })
    await expect(withLease(store, options(), async () => 0)).rejects.toMatchObject({ code: 'JOB_RUNNING' })
  })

  it.runIf(linux)('respects a live process and takes over after kill -9, long before the expiry', async () => {
    const child = await idleProcess()
    await seed({ pid: child.pid, mark: await markOf(child.pid) })
    await expect(withLease(store, options(), async () => 0)).rejects.toMatchObject({ code: 'JOB_RUNNING', details: { pid: child.pid } })
    await kill(child)
    expect(await withLease(store, options(), async () => (await rows())[0]?.pid)).toBe(process.pid)
  })

  it.runIf(linux)('takes over when the pid lives but belongs to a later process', async () => {
    const child = await idleProcess()
    const [namespace] = processMark().mark.split('.')
    await seed({ pid: child.pid, mark: `${namespace}.1` })
    expect(await withLease(store, options(), async () => 'mine')).toBe('mine')
  })

  it.runIf(linux)('judges no process of another pid namespace', () => {
    expect(isDead({ pid: 4_194_303, host: hostname(), mark: '1.1' })).toBe(false)
    expect(isDead({ ...processMark(), pid: 4_194_303 })).toBe(true)
    expect(isDead(processMark())).toBe(false)
  })

  it('renews while the work runs', async () => {
    await withLease(store, options({ ttlMs: 1500 }), async () => {
      const before = (await rows())[0]?.expires_at ?? 0
      while (((await rows())[0]?.expires_at ?? 0) <= before) await sleep(10)
      await expect(withLease(other, options(), async () => 0)).rejects.toMatchObject({ code: 'JOB_RUNNING' })
    })
  })

  it('check renews a lease that is nearly over, even when no timer could run', async () => {
    let now = 1000
    const clock = () => now
    await withLease(store, options({ clock, ttlMs: 9000 }), async (lease) => {
      now += 8000
      await store.write((tx) => lease.check(tx))
      expect((await rows())[0]?.expires_at).toBe(18_000)
    })
  })

  it('check stops a holder whose lease expired and was taken, and its release leaves the new row alone', async () => {
    let now = 1000
    const clock = () => now
    const late = withLease(store, options({ clock, ttlMs: 5000 }), async (lease) => {
      now += 6000
      await withLease(other, options({ clock, ttlMs: 5000 }), async (second) => {
        await other.write((tx) => second.check(tx))
        const write = store.write(async (tx) => {
          await lease.check(tx)
          await tx.db.insertInto('meta').values({ key: 'late', value: 'x' }).execute()
        })
        await expect(write).rejects.toMatchObject({ code: 'LEASE_LOST' })
        expect(await store.read.selectFrom('meta').selectAll().where('key', '=', 'late').execute()).toEqual([])
      })
      await seed({ pid: process.pid, mark: processMark().mark, expires: now + DAY })
    })
    await late
    expect((await rows()).map((row) => row.owner.split('/')[0])).toEqual(['someone'])
  })
})
