/** A session stays queued until all its calls are indexed: a killed run resumes. Idempotent. */
import { setImmediate as pause } from 'node:timers/promises'
import { madeAhead } from '../core/made-ahead.ts'
import { REDACTION_VERSION } from '../core/redact.ts'
import { throwIfStopped } from '../core/stopped.ts'
import type { Lease } from '../store/lease.ts'
import { META, readMeta, writeMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { identityFor, toolsOf } from '../store/tool-gate.ts'
import type { ToolIndexing } from '../store/work.ts'
import type { LedgerCall, NewWork, WorkOwner } from '../store/work-rows.ts'
import type { RunOptions } from './run.ts'
import { workOfCall } from './work-of-call.ts'
import { READ_CALL } from './work-text.ts'

/** A change rebuilds all tool work. */
const WORK_IDENTITY = `work-1/deeds-1/${REDACTION_VERSION}`

/** Approximate, so that other writers need not wait long. */
const BYTES_PER_TRANSACTION = 1 << 20
/** Estimated bytes, added to the text. */
const SESSION_COST = 4096
const CALL_COST = 512

/** Pure; keeps the order. */
export type MakeWork = (calls: readonly LedgerCall[]) => Promise<readonly NewWork[]>

/** Batches made ahead, if another thread helps. */
const BATCHES_AHEAD = 3

export interface WorkRun extends RunOptions {
  readonly makeWork?: MakeWork | undefined
  readonly tools: ToolIndexing
  readonly agentId?: string | undefined
}

export async function followWork(store: Store, { agentId, ...run }: WorkRun): Promise<number> {
  await followKey(store, run)
  if (run.tools === 'off') return 0
  const sessions = await store.write((tx) => tx.work.waiting(agentId))
  return indexSessions(store, sessions, run)
}

export async function rebuildWork(store: Store, { agentId, ...run }: WorkRun): Promise<number> {
  await followKey(store, run)
  if (run.tools === 'off') return 0
  const sessions = await store.write(async (tx) => {
    await run.lease?.check(tx)
    await tx.work.waitAll(agentId)
    return tx.work.waiting(agentId)
  })
  const again = await indexSessions(store, sessions, run, true)
  return again + (await followWork(store, { agentId, ...run }))
}

/** `force` rebuilds existing rows. */
export async function indexWork(store: Store, sessionId: string, { force, ...run }: WorkRun & { force: boolean }): Promise<number> {
  if (run.tools === 'off') return 0
  await store.write((tx) => tx.work.wait(sessionId))
  return indexSessions(store, [sessionId], run, force)
}

/** Queues all sessions if the version or `index.tools` changed. */
async function followKey(store: Store, { lease, tools }: WorkRun): Promise<void> {
  const identity = identityFor(tools, WORK_IDENTITY)
  const built = await readMeta(store.read, META.workIdentity)
  if (built === identity) return
  await store.write(async (tx) => {
    await lease?.check(tx)
    // At once, not session by session.
    if (tools !== 'all' && (built === undefined || toolsOf(built) !== tools)) await tx.work.clear()
    if (tools !== 'off') await tx.work.waitAll()
    await writeMeta(tx.db, META.workIdentity, identity)
  })
}

/** `again` rebuilds existing rows. */
async function indexSessions(store: Store, sessions: readonly string[], run: WorkRun, again = false): Promise<number> {
  const { makeWork, tools, lease, signal, onProgress } = run
  let calls = 0
  let done = 0
  // One request for all calls: each costs a message to the thread.
  const make = async (parts: readonly Part[]) => {
    const all = parts.flatMap(({ calls }) => calls)
    const rows = [...((await makeWork?.(all)) ?? all.map((call) => workOfCall(call, tools)))]
    return parts.map((part) => ({ ...part, rows: rows.splice(0, part.calls.length) }))
  }
  for await (const made of madeAhead(
    partsOf(store, reader(sessions, run, again), lease),
    make,
    makeWork === undefined ? 1 : BATCHES_AHEAD,
  )) {
    throwIfStopped(signal, 'indexing')
    await store.write(async (tx) => {
      await lease?.check(tx)
      await tx.work.add(made)
      for (const { owner, isLast } of made) if (isLast) await tx.work.settle(owner.sessionId)
    })
    for (const { rows, isLast } of made) {
      calls += rows.length
      if (isLast) onProgress?.({ stage: 'index', done: ++done, total: sessions.length })
    }
    await pause()
  }
  return calls
}

interface Part {
  readonly owner: WorkOwner
  readonly calls: readonly LedgerCall[]
  readonly isLast: boolean
}

async function* partsOf(store: Store, next: (tx: WriteTx) => Promise<Part[]>, lease: Lease | undefined): AsyncGenerator<Part[]> {
  for (;;) {
    const parts = await store.write(async (tx) => {
      await lease?.check(tx)
      return next(tx)
    })
    if (parts.length === 0) return
    yield parts
  }
}

/** Returns one transaction's worth per call. */
function reader(sessions: readonly string[], { tools }: WorkRun, again: boolean): (tx: WriteTx) => Promise<Part[]> {
  let at = 0
  let open: { readonly owner: WorkOwner; readonly missing: readonly { id: string; length: number }[]; from: number } | undefined

  return async (tx) => {
    const parts: Part[] = []
    for (let room = BYTES_PER_TRANSACTION; room > 0 && at < sessions.length; ) {
      const sessionId = sessions[at] as string
      open ??= await opened(tx, { sessionId, again, identity: identityFor(tools, WORK_IDENTITY) })
      const { owner, missing } = open
      const ids: string[] = []
      room -= SESSION_COST
      for (const { id, length } of missing.slice(open.from)) {
        if (ids.length > 0 && length > room) break
        room -= Math.min(length, 2 * READ_CALL) + CALL_COST
        ids.push(id)
      }
      open.from += ids.length
      const isLast = open.from === missing.length
      parts.push({ owner, calls: ids.length === 0 ? [] : await tx.work.read(ids, READ_CALL), isLast })
      if (!isLast) continue
      open = undefined
      at++
    }
    return parts
  }
}

async function opened(tx: WriteTx, { sessionId, again, identity }: { sessionId: string; again: boolean; identity: string }) {
  const agentId = await tx.work.agentOf(sessionId)
  if (agentId === undefined || again) await tx.work.remove(sessionId)
  const owner: WorkOwner = { sessionId, agentId: agentId ?? '', identity }
  return { owner, missing: agentId === undefined ? [] : await tx.work.missing(owner), from: 0 }
}
