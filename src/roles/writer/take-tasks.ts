/**
 * The worker's side of the queue. One process at a time works on it, under a lease, so that a row needs no owner. What a task costs in tries is
 * written before it is begun: one that ends the process cannot do so for ever.
 */
import type { Kysely, Updateable } from 'kysely'
import { asMnemonicError } from '../../core/error.ts'
import { redactVisible } from '../../core/redact.ts'
import { clip } from '../../core/text.ts'
import type { Lease } from '../../store/lease.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import type { Tables, WriterTasksTable } from '../../store/tables.ts'
import { MOST_ATTEMPTS } from './queue.ts'

type TaskKey = Pick<WriterTasksTable, 'kind' | 'agent_id' | 'harness' | 'session'>

/** All that waits for one session: its log is read once for all of it. */
export interface TakenTasks {
  readonly agent: string
  readonly harness: string
  readonly session: string
  readonly log: string | undefined
  readonly tasks: readonly (TaskKey & { readonly revision: number })[]
}

const LONGEST_MESSAGE = 500
const KILLED = 'the worker was ended in the middle of it each time'
/** Counts of sessions that nobody ended, and that went on no more. */
const OLDEST_COUNT_MS = 30 * 86_400_000

/** What a session is called in `except`. */
export function nameOf({ agent, harness, session }: Pick<TakenTasks, 'agent' | 'harness' | 'session'>): string {
  return JSON.stringify([agent, harness, session])
}

/** The session that waits longest, with one try written down for each of its tasks; undefined where none but `except` waits. */
export async function takeTasks(store: Store, lease: Lease, except: ReadonlySet<string>): Promise<TakenTasks | undefined> {
  return store.write(async (tx) => {
    await lease.check(tx)
    await giveUpKilled(tx)
    const waiting = await waitingRows(tx.db)
    const [first] = waiting.filter((row) => !except.has(nameOf({ ...row, agent: row.agent_id })))
    if (first === undefined) return undefined
    const { agent_id, harness, session } = first
    const all = waiting.filter((row) => row.agent_id === agent_id && row.harness === harness && row.session === session)
    for (const task of all) await updateTask(tx, task, { attempts: task.attempts + 1 })
    const log = all.find((task) => task.log !== null)?.log ?? undefined
    return { agent: agent_id, harness, session, log, tasks: all.map((task) => ({ ...keyOf(task), revision: task.revision })) }
  })
}

export async function isWaiting(store: Store, except: ReadonlySet<string>): Promise<boolean> {
  return (await waitingRows(store.read)).some((row) => !except.has(nameOf({ ...row, agent: row.agent_id })))
}

function waitingRows(db: Kysely<Tables>) {
  return db.selectFrom('writer_tasks').selectAll().where('status', '=', 'waiting').orderBy('queued_at').orderBy('session').execute()
}

/** Each try is written down before it is begun: what has no try left and still waits ended its process. */
async function giveUpKilled(tx: WriteTx): Promise<void> {
  await tx.db
    .updateTable('writer_tasks')
    .set({ status: 'failed', error_code: 'INTERNAL', error_message: KILLED })
    .where('status', '=', 'waiting')
    .where('attempts', '>=', MOST_ATTEMPTS)
    .execute()
}

/** What was asked for again meanwhile waits on; the turns that were counted are captured. */
export async function tasksDone(
  store: Store,
  taken: TakenTasks,
  { lease, now }: { readonly lease: Lease; readonly now: number },
): Promise<void> {
  await store.write(async (tx) => {
    await lease.check(tx)
    for (const task of taken.tasks) {
      const row = await taskRow(tx, task)
      if (row?.revision === task.revision) await drop(tx, task)
      else if (row !== undefined) await updateTask(tx, task, { attempts: 0, queued_at: now, error_code: null, error_message: null })
    }
    const { agent: agent_id, harness, session } = taken
    const counted = await taskRow(tx, { kind: 'capture', agent_id, harness, session })
    if (counted?.status === 'counting') await drop(tx, counted)
    await tx.db
      .deleteFrom('writer_tasks')
      .where('status', '=', 'counting')
      .where('updated_at', '<', now - OLDEST_COUNT_MS)
      .execute()
  })
}

/** It was stopped, and is no worse for that: the try does not count. */
export async function tasksStopped(store: Store, { tasks }: TakenTasks): Promise<void> {
  await store.write(async (tx) => {
    for (const task of tasks) {
      const row = await taskRow(tx, task)
      if (row !== undefined) await updateTask(tx, task, { attempts: Math.max(0, row.attempts - 1) })
    }
  })
}

/** Kept with the reason; after the last try they wait no more. True where that was it. */
export async function tasksFailed(store: Store, { tasks }: TakenTasks, thrown: unknown): Promise<boolean> {
  const error = asMnemonicError(thrown)
  let given = false
  await store.write(async (tx) => {
    for (const task of tasks) {
      const row = await taskRow(tx, task)
      if (row === undefined) continue
      const over = row.attempts >= MOST_ATTEMPTS
      given ||= over
      await updateTask(tx, task, {
        ...{ status: over ? 'failed' : 'waiting', error_code: error.code },
        error_message: clip(redactVisible(error.message), LONGEST_MESSAGE),
      })
    }
  })
  return given
}

/** Somebody asks for what failed too often. */
export async function retryFailed(store: Store, now: number): Promise<void> {
  await store.write((tx) =>
    tx.db.updateTable('writer_tasks').set({ status: 'waiting', attempts: 0, queued_at: now }).where('status', '=', 'failed').execute(),
  )
}

function taskRow(tx: WriteTx, key: TaskKey) {
  return tx.db
    .selectFrom('writer_tasks')
    .selectAll()
    .where((eb) => eb.and(keyOf(key)))
    .executeTakeFirst()
}

async function updateTask(tx: WriteTx, key: TaskKey, changed: Updateable<WriterTasksTable>): Promise<void> {
  await tx.db
    .updateTable('writer_tasks')
    .set(changed)
    .where((eb) => eb.and(keyOf(key)))
    .execute()
}

/** Without what else a row holds. */
function keyOf({ kind, agent_id, harness, session }: TaskKey): TaskKey {
  return { kind, agent_id, harness, session }
}

async function drop(tx: WriteTx, key: TaskKey): Promise<void> {
  await tx.db
    .deleteFrom('writer_tasks')
    .where((eb) => eb.and(keyOf(key)))
    .execute()
}

/** What waits and what failed, for those who look after the memory. */
export interface QueueState {
  readonly waiting: number
  readonly failed: number
  /** Since when the oldest that waits does so. */
  readonly oldest: number | null
}

export async function queueState(store: Store): Promise<QueueState> {
  const rows = await store.read
    .selectFrom('writer_tasks')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count'), eb.fn.min('queued_at').as('oldest')])
    .groupBy('status')
    .execute()
  const of = (status: string) => rows.find((row) => row.status === status)
  return { waiting: Number(of('waiting')?.count ?? 0), failed: Number(of('failed')?.count ?? 0), oldest: of('waiting')?.oldest ?? null }
}
