/** A lease has one holder across all processes. A dead holder's lease is taken over, a live one's never. */
import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { isRunning } from '../core/is-running.ts'
import type { OnProgress, WaitEvent } from '../core/progress.ts'
import { interruptible, stoppedWaiting } from './interruptible.ts'
import type { Store, WriteTx } from './store.ts'
import type { LeasesTable } from './tables.ts'

export interface LeaseOptions {
  readonly name: string
  /** Command shown to waiting processes. Default: the name. */
  readonly job?: string | undefined
  readonly clock: Clock
  readonly ttlMs: number
  readonly waitMs: number
  /** Aborts the wait with INTERRUPTED. */
  readonly signal?: AbortSignal | undefined
  /** Called at most once, and only if there is something to wait for. */
  readonly onProgress?: OnProgress | undefined
}

export interface Lease {
  readonly name: string
  /**
   * Must be called in every write transaction of the leased work. Throws LEASE_LOST if another process took over. Renews the lease if due.
   */
  check(tx: WriteTx): Promise<void>
}

/** Throws JOB_RUNNING if the holder does not finish within `waitMs`. */
export async function withLease<T>(plain: Store, options: LeaseOptions, work: (lease: Lease) => Promise<T>): Promise<T> {
  const store = interruptible(plain, options.signal)
  const me = `${randomUUID()}/${processMark().mark}`
  await acquire(store, options, me)
  const held = hold(store, options, me)
  let result: T
  try {
    result = await work(held.lease)
  } catch (error) {
    // Keep the original error: an undeleted lease expires by itself.
    await held.release().catch(() => undefined)
    throw error
  }
  await held.release()
  return result
}

export async function withLeases<T>(
  store: Store,
  names: readonly string[],
  options: Omit<LeaseOptions, 'name'>,
  work: () => Promise<T>,
): Promise<T> {
  const [name, ...rest] = names
  return name === undefined ? work() : withLease(store, { ...options, name }, () => withLeases(store, rest, options, work))
}

/** Throws JOB_RUNNING if a live process holds any other lease. */
export async function requireNoLease(store: Store, clock: Clock, except: readonly string[] = []): Promise<void> {
  const rows = await store.read.selectFrom('leases').selectAll().orderBy('name').execute()
  requireNoneHeld(
    rows.filter((row) => !except.includes(row.name)),
    clock,
  )
}

export type HeldRow = LeasesTable

export function requireNoneHeld(rows: readonly HeldRow[], clock: Clock): void {
  const held = rows.find((row) => isHeld(row, clock()))
  if (held !== undefined) throw running(held.name, held)
}

export async function isLeased(store: Store, name: string, now: number): Promise<boolean> {
  const row = await store.tasks.lease(name)
  return row !== undefined && isHeld(row, now)
}

function hold(store: Store, { name, clock, ttlMs }: LeaseOptions, me: string): { lease: Lease; release(): Promise<void> } {
  let renewing: Promise<unknown> = Promise.resolve()

  async function renew(tx: WriteTx): Promise<void> {
    const row = await tx.db.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirst()
    if (row?.owner !== me) throw lost(name, row)
    const now = clock()
    const left = row.expires_at - now
    // More than the full term left means the clock was set back: rewrite it, or others would wait long after this process ends.
    if (left > (ttlMs * 2) / 3 && left <= ttlMs) return
    await tx.db
      .updateTable('leases')
      .set({ expires_at: now + ttlMs })
      .where('name', '=', name)
      .execute()
  }

  const timer = setInterval(() => {
    // A failed renewal is retried by the next tick and by each check; only check stops the work.
    renewing = store.write(renew).catch(() => undefined)
  }, ttlMs / 3).unref()

  return {
    lease: { name, check: renew },
    async release() {
      clearInterval(timer)
      await renewing
      await store.write((tx) => tx.db.deleteFrom('leases').where('name', '=', name).where('owner', '=', me).execute())
    },
  }
}

const REPORT_AFTER_MS = 250

async function acquire(store: Store, options: LeaseOptions, me: string): Promise<void> {
  const begun = performance.now()
  const deadline = begun + options.waitMs
  let reported = false
  for (let pause = 25; ; pause = Math.min(pause * 2, 500)) {
    const holder = (await holderOf(store, options)) ?? (await store.write((tx) => take(tx, options, me)))
    if (holder === undefined) return
    await capFuture(store, holder, options)
    const left = deadline - performance.now()
    if (left <= 0) throw running(options.name, holder)
    if (!reported && performance.now() - begun >= REPORT_AFTER_MS) {
      options.onProgress?.({ stage: 'wait', ...holderInfo(holder) })
      reported = true
    }
    await waited(Math.min(pause, left), options.signal)
  }
}

async function waited(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    throw signal?.aborted ? stoppedWaiting(signal) : error
  }
}

/** An expiry beyond the lease's own length means clock skew. Cap it: a live holder renews in time, and a dead one blocks nobody longer. */
async function capFuture(store: Store, holder: LeasesTable, { name, clock, ttlMs }: LeaseOptions): Promise<void> {
  const longest = holder.ttl_ms ?? Math.max(ttlMs, LONGEST_UNWRITTEN_MS)
  if (holder.expires_at - clock() <= longest) return
  await store.write(async (tx) => {
    const now = clock()
    await tx.db
      .updateTable('leases')
      .set({ expires_at: now + longest, acquired_at: Math.min(holder.acquired_at, now) })
      .where('name', '=', name)
      .where('owner', '=', holder.owner)
      .where('expires_at', '=', holder.expires_at)
      .execute()
  })
}

const LONGEST_UNWRITTEN_MS = 60_000

/** Reads without the write lock, so that pollers do not slow down the holder. */
async function holderOf(store: Store, { name, clock }: LeaseOptions): Promise<LeasesTable | undefined> {
  const row = await store.read.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirst()
  return row !== undefined && isHeld(row, clock()) ? row : undefined
}

async function take(tx: WriteTx, { name, job = name, clock, ttlMs }: LeaseOptions, me: string): Promise<LeasesTable | undefined> {
  const now = clock()
  const row = await tx.db.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirst()
  if (row !== undefined && isHeld(row, now)) return row
  const { pid, host } = processMark()
  await tx.db.deleteFrom('leases').where('name', '=', name).execute()
  await tx.db
    .insertInto('leases')
    .values({ name, owner: me, pid, host, acquired_at: now, expires_at: now + ttlMs, ttl_ms: ttlMs, job })
    .execute()
  return undefined
}

function isHeld(row: LeasesTable, now: number): boolean {
  if (row.expires_at <= now) return false
  return !isDead({ pid: row.pid, host: row.host, mark: row.owner.split('/')[1] ?? '' })
}

export interface ProcessMark {
  readonly pid: number
  readonly host: string
  /** Start time and pid namespace, which detect pid reuse. Empty if the platform lacks them. */
  readonly mark: string
}

export function processMark(): ProcessMark {
  return { pid: process.pid, host: hostname(), mark: look(process.pid)?.mark ?? '' }
}

/** True only if certain: nothing is known about other hosts or pid namespaces. */
export function isDead({ pid, host, mark }: ProcessMark): boolean {
  const self = processMark()
  if (host !== self.host || namespaceOf(mark) !== namespaceOf(self.mark)) return false
  if (!isRunning(pid)) return true
  const seen = look(pid)
  return seen !== undefined && (seen.ended || seen.mark !== mark)
}

function namespaceOf(mark: string): string {
  return mark.split('.')[0] ?? ''
}

/** Undefined without /proc: then only pid and expiry count. */
function look(pid: number): { mark: string; ended: boolean } | undefined {
  try {
    // The process name in brackets may contain spaces, so count fields after it. Field 3 is the state, 22 the start time.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const namespace = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
    return { mark: `${namespace}.${fields[19] ?? ''}`, ended: fields[0] === 'Z' || fields[0] === 'X' }
  } catch {
    return undefined
  }
}

function holderInfo(row: LeasesTable): Omit<WaitEvent, 'stage'> {
  return { job: row.job ?? row.name, pid: row.pid, host: row.host, since: row.acquired_at }
}

function running(name: string, row: LeasesTable): MnemonicError {
  const since = new Date(row.acquired_at).toISOString()
  return new MnemonicError(
    'JOB_RUNNING',
    `another process is at work: mnemonic ${row.job ?? name}, pid ${row.pid} on ${row.host}, since ${since}`,
    {
      details: { lease: name, pid: row.pid, host: row.host, since },
      hint: 'Try again when it has finished; what it writes is seen by everyone.',
    },
  )
}

function lost(name: string, row: LeasesTable | undefined): MnemonicError {
  const who = row === undefined ? 'it expired and was released' : `pid ${row.pid} on ${row.host} took it over`
  return new MnemonicError('LEASE_LOST', `this process no longer holds the lease of ${name}: ${who}`, {
    details: { lease: name, ...given({ pid: row?.pid, host: row?.host }) },
    hint: 'What was committed stays. Run the command again: it goes on from there.',
  })
}
