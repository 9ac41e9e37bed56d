/**
 * Brings the index of tool work up to date: each call of a session that waits gets its row and its words. What is committed stays; a session
 * waits until all of its calls are indexed, so a run that is killed is taken up by the next. Repeating it changes nothing.
 */
import { setImmediate as pause } from 'node:timers/promises'
import { throwIfStopped } from '../core/stopped.ts'
import { META, readMeta, writeMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'
import type { WorkOwner } from '../store/work-rows.ts'
import type { RunOptions } from './run.ts'
import { workOfCall } from './work-of-call.ts'
import { READ_CALL } from './work-text.ts'

/** What built the index of tool work. When it changes, all of it is built again. */
export const WORK_IDENTITY = 'work-1/deeds-1/redact-2'

/** At most about so many bytes of calls are indexed in one transaction, so that others need not wait long. */
const BYTES_PER_TRANSACTION = 1 << 20
/** What looking at a session costs, and a call beside its text. */
const SESSION_COST = 4096
const CALL_COST = 512

export interface WorkRun extends RunOptions {
  /** One persona; all when absent. */
  readonly agentId?: string | undefined
}

/** Indexes the calls of all sessions that wait; of all sessions where another version built the index. Gives how many were indexed. */
export async function followWork(store: Store, { agentId, ...run }: WorkRun): Promise<number> {
  if ((await readMeta(store.read, META.workIdentity)) !== WORK_IDENTITY) await queueAll(store, run)
  const sessions = await store.write((tx) => tx.work.waiting(agentId))
  return indexSessions(store, sessions, run)
}

/** Builds the work of all sessions again, or of those of one agent. */
export async function rebuildWork(store: Store, { agentId, ...run }: WorkRun): Promise<number> {
  const sessions = await store.write(async (tx) => {
    await run.lease?.check(tx)
    await tx.work.waitAll(agentId)
    return tx.work.waiting(agentId)
  })
  const again = await indexSessions(store, sessions, run, true)
  return again + (await followWork(store, { agentId, ...run }))
}

/** Builds the work of one session, again where `force` says so. */
export async function indexWork(store: Store, sessionId: string, { force, ...run }: RunOptions & { force: boolean }): Promise<number> {
  await store.write((tx) => tx.work.wait(sessionId))
  return indexSessions(store, [sessionId], run, force)
}

async function queueAll(store: Store, { lease }: RunOptions): Promise<void> {
  await store.write(async (tx) => {
    await lease?.check(tx)
    await tx.work.waitAll()
    await writeMeta(tx.db, META.workIdentity, WORK_IDENTITY)
  })
}

/** `again`: rows that are there are made again too. Gives how many were made. */
async function indexSessions(store: Store, sessions: readonly string[], run: RunOptions, again = false): Promise<number> {
  let at = 0
  let calls = 0
  let removed = false

  async function fill(tx: WriteTx): Promise<void> {
    await run.lease?.check(tx)
    for (let room = BYTES_PER_TRANSACTION; room > 0 && at < sessions.length; ) {
      const sessionId = sessions[at] as string
      if (again && !removed) await tx.work.remove(sessionId)
      removed = true
      const { cost, made, done } = await indexSome(tx, sessionId, room)
      room -= cost
      calls += made
      if (!done) continue
      at++
      removed = false
      run.onProgress?.({ stage: 'index', done: at, total: sessions.length })
    }
  }

  while (at < sessions.length) {
    throwIfStopped(run.signal, 'indexing')
    await store.write(fill)
    await pause()
  }
  return calls
}

/** The next calls of a session, as many as the transaction takes, at least one. */
async function indexSome(tx: WriteTx, sessionId: string, room: number): Promise<{ cost: number; made: number; done: boolean }> {
  const agentId = await tx.work.agentOf(sessionId)
  if (agentId === undefined) {
    await tx.work.remove(sessionId)
    await tx.work.settle(sessionId)
    return { cost: SESSION_COST, made: 0, done: true }
  }
  const owner: WorkOwner = { sessionId, agentId, identity: WORK_IDENTITY }
  const missing = await tx.work.missing(owner)
  let cost = SESSION_COST
  const ids: string[] = []
  for (const { id, length } of missing) {
    if (ids.length > 0 && cost + length > room) break
    cost += Math.min(length, 2 * READ_CALL) + CALL_COST
    ids.push(id)
  }
  if (ids.length > 0) {
    const calls = await tx.work.read(ids, READ_CALL)
    await tx.work.add(calls.map(workOfCall), owner)
  }
  if (ids.length < missing.length) return { cost, made: ids.length, done: false }
  await tx.work.settle(sessionId)
  return { cost, made: ids.length, done: true }
}
