/** The log never contains message text. */
import type { Clock } from '../core/clock.ts'
import { asMnemonicError } from '../core/error.ts'
import type { OnProgress } from '../core/progress.ts'
import { redactValues, redactVisible } from '../core/redact.ts'
import { clip } from '../core/text.ts'
import { isDead, type Lease, type ProcessMark, processMark, withLease } from './lease.ts'
import type { Store, WriteTx } from './store.ts'

export interface JobOptions {
  /** The command, shown to waiting processes. With `agentId` also the kind in the log. */
  readonly job: string
  /** Jobs with the same lease never overlap. Default: `writer`. */
  readonly lease?: string
  readonly agentId?: string
  readonly clock: Clock
  /** 0 fails at once. Default: 15 minutes. */
  readonly waitMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

/** How long a crashed process can block others. */
export const LEASE_MS = 30_000
const WAIT_MS = 15 * 60_000

/** Throws JOB_RUNNING if the current holder does not finish in time. */
export function runJob<T>(store: Store, options: JobOptions, work: (lease: Lease, note: JobNote) => Promise<T>): Promise<T> {
  const { job, lease: name = 'writer', agentId, clock, waitMs = WAIT_MS, signal, onProgress } = options
  return withLease(store, { name, job, clock, ttlMs: LEASE_MS, waitMs, signal, onProgress }, (lease) =>
    agentId === undefined ? work(lease, { items: 0 }) : logged(store, { kind: job, agentId, clock, lease }, (note) => work(lease, note)),
  )
}

export interface JobNote {
  items: number
  details?: Readonly<Record<string, unknown>>
  error?: unknown
  failed?: boolean
}

export interface JobStart {
  readonly kind: string
  readonly agentId: string
  readonly clock: Clock
  /** An exclusive lease: any other job of this kind still marked running was interrupted. */
  readonly lease?: Lease
}

export interface JobEnd extends JobNote {
  readonly status: 'done' | 'failed' | 'interrupted'
  readonly clock: Clock
}

export async function logged<T>(store: Store, start: JobStart, work: (note: JobNote) => Promise<T>): Promise<T> {
  const id = await startJob(store, start)
  return ending(start, work, (end) => finishJob(store, id, end))
}

/** For a part of a logged job: writes one row at the end, and none if there was nothing to do. */
export async function loggedOnce<T>(store: Store, start: JobStart, work: (note: JobNote) => Promise<T>): Promise<T> {
  const started = start.clock()
  return ending(start, work, async (end) => {
    if (end.status === 'done' && end.items === 0) return
    const { kind, agentId: agent_id } = start
    const row = { kind, agent_id, started_at: started, ...ended(end, started) }
    await store.write((tx) => tx.db.insertInto('jobs').values(row).execute())
  })
}

async function ending<T>({ clock }: JobStart, work: (note: JobNote) => Promise<T>, end: (end: JobEnd) => Promise<void>): Promise<T> {
  const note: JobNote = { items: 0 }
  let result: T
  try {
    result = await work(note)
  } catch (error) {
    const status = asMnemonicError(error).code === 'INTERRUPTED' ? 'interrupted' : 'failed'
    // Keep the original error; `health` reports a database that cannot take this note.
    await end({ ...note, status, error, clock }).catch(() => undefined)
    throw error
  }
  await end({ ...note, status: note.failed ? 'failed' : 'done', clock })
  return result
}

/** Also closes rows of the same kind whose process died. */
export async function startJob(store: Store, { kind, agentId, clock, lease }: JobStart): Promise<number> {
  return store.write(async (tx) => {
    await lease?.check(tx)
    await closeInterrupted(tx, kind, { now: clock(), exclusive: lease !== undefined })
    const { id } = await tx.db
      .insertInto('jobs')
      .values({ kind, agent_id: agentId, status: 'running', started_at: clock(), details_json: JSON.stringify(processMark()) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

/** Idempotent. */
export async function finishJob(store: Store, id: number, end: JobEnd): Promise<void> {
  await store.write(async (tx) => {
    const row = await tx.db.selectFrom('jobs').select('started_at').where('id', '=', id).where('status', '=', 'running').executeTakeFirst()
    if (row !== undefined) await tx.db.updateTable('jobs').set(ended(end, row.started_at)).where('id', '=', id).execute()
  })
}

const LONGEST_MESSAGE = 500

/** Redacts and truncates: errors quote paths, commands and answers. */
function ended({ status, items, error, details, clock }: JobEnd, startedAt: number) {
  const failure = error === undefined ? undefined : asMnemonicError(error)
  const now = clock()
  return {
    status,
    items,
    duration_ms: Math.max(0, Math.round(now - startedAt)),
    finished_at: now,
    error_code: failure?.code ?? null,
    error_message: failure === undefined ? null : clip(redactVisible(failure.message), LONGEST_MESSAGE),
    details_json: details === undefined ? null : JSON.stringify(redactValues(details)),
  }
}

export async function lastDone(store: Store, kind: string): Promise<number | undefined> {
  return store.rows.lastDone(kind)
}

async function closeInterrupted(tx: WriteTx, kind: string, { now, exclusive }: { now: number; exclusive: boolean }): Promise<void> {
  const open = await tx.db
    .selectFrom('jobs')
    .select(['id', 'details_json'])
    .where('kind', '=', kind)
    .where('status', '=', 'running')
    .execute()
  const ids = open.filter((row) => exclusive || hasDied(row.details_json)).map((row) => row.id)
  if (ids.length === 0) return
  await tx.db.updateTable('jobs').set({ status: 'interrupted', finished_at: now }).where('id', 'in', ids).execute()
}

function hasDied(details: string | null): boolean {
  return details !== null && isDead(JSON.parse(details) as ProcessMark)
}
