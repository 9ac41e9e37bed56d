/**
 * Worker side of the queue. One process works at a time, under a lease. Attempts are counted before the work, so that a task that kills the
 * process cannot repeat forever.
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

/** All tasks of one session: its log is read once. */
export interface TakenTasks {
  readonly agent: string
  readonly harness: string
  readonly session: string
  readonly log: string | undefined
  readonly tasks: readonly (TaskKey & { readonly revision: number })[]
}

const LONGEST_MESSAGE = 500
const KILLED = 'the worker was ended in the middle of it each time'
const OLDEST_COUNT_MS = 30 * 86_400_000

export function nameOf({ agent, harness, session }: Pick<TakenTasks, 'agent' | 'harness' | 'session'>): string {
  return JSON.stringify([agent, harness, session])
}

/** The session that waits longest, without those in `except`. Counts one attempt per task. */
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

/** Attempts used up and still waiting: the task killed its process each time. */
async function giveUpKilled(tx: WriteTx): Promise<void> {
  await tx.db
    .updateTable('writer_tasks')
    .set({ status: 'failed', error_code: 'INTERNAL', error_message: KILLED })
    .where('status', '=', 'waiting')
    .where('attempts', '>=', MOST_ATTEMPTS)
    .execute()
}

/** Tasks requested again meanwhile stay. Deletes the session's count of turns: they are captured. */
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

/** A stopped run does not count as an attempt. */
export async function tasksStopped(store: Store, { tasks }: TakenTasks): Promise<void> {
  await store.write(async (tx) => {
    for (const task of tasks) {
      const row = await taskRow(tx, task)
      if (row !== undefined) await updateTask(tx, task, { attempts: Math.max(0, row.attempts - 1) })
    }
  })
}

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

function keyOf({ kind, agent_id, harness, session }: TaskKey): TaskKey {
  return { kind, agent_id, harness, session }
}

async function drop(tx: WriteTx, key: TaskKey): Promise<void> {
  await tx.db
    .deleteFrom('writer_tasks')
    .where((eb) => eb.and(keyOf(key)))
    .execute()
}

export interface QueueState {
  readonly waiting: number
  readonly failed: number
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
