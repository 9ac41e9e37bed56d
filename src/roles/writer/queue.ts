/**
 * The queue of the memory-writer. To leave a task is one short transaction: it is what a hook does. A session has one row for each kind of
 * task, however often it is asked for, so that the queue cannot grow beyond the sessions that there are.
 */
import type { AgentMemory } from '../../config/agent-memory.ts'
import type { Store, WriteTx, WriteWait } from '../../store/store.ts'
import type { WriterTasksTable } from '../../store/tables.ts'
import { isDue, writes } from './due.ts'
import type { WriterTask } from './writer-task.ts'

/** So often a task is begun before it is kept as failed. A new request gives a failed one another try. */
export const MOST_ATTEMPTS = 3

/** How long a caller that has little time waits for another process that writes. */
const PATIENCE_MS = 200

export interface QueueOptions extends WriteWait {
  readonly now: number
}

/** Leaves a task. Where the same one waits already, that is all. */
export async function enqueue(store: Store, task: WriterTask, { now, patienceMs = PATIENCE_MS, signal }: QueueOptions): Promise<void> {
  await store.write((tx) => put(tx, task, { now, turns: 0, due: () => true }), { patienceMs, signal })
}

/**
 * A turn of a session ended: it is counted, and its capture waits where that is due by then. Nothing of the log is read. True where it waits;
 * where the agent's sessions are not written, not even the count is.
 */
export async function countTurn(
  store: Store,
  task: Omit<WriterTask, 'kind'>,
  { write, now, patienceMs = PATIENCE_MS, signal }: QueueOptions & { readonly write: AgentMemory['write'] },
): Promise<boolean> {
  if (!writes(write)) return false
  const due = (turns: number) => isDue(write, { turns })
  return store.write((tx) => put(tx, { ...task, kind: 'capture' }, { now, turns: 1, due }), { patienceMs, signal })
}

interface Put {
  readonly now: number
  readonly turns: number
  /** Asked with all turns that were counted. */
  readonly due: (turns: number) => boolean
}

async function put(tx: WriteTx, task: WriterTask, { now, turns, due }: Put): Promise<boolean> {
  const { kind, agent: agent_id, harness, session, log = null } = task
  const key = { kind, agent_id, harness, session }
  const before = await taskRow(tx, key)
  const counted = (before?.turns ?? 0) + turns
  const waits = before?.status === 'waiting' || due(counted)
  const status = waits ? 'waiting' : (before?.status ?? 'counting')
  if (before === undefined) {
    await tx.db
      .insertInto('writer_tasks')
      .values({ ...key, log, status, turns: counted, queued_at: now, updated_at: now, error_code: null, error_message: null })
      .execute()
    return waits
  }
  const again = waits && before.status !== 'waiting'
  await updateTask(tx, key, {
    ...{ log: log ?? before.log, status, turns: counted, revision: before.revision + 1, updated_at: now },
    ...(again ? { queued_at: now } : {}),
    ...(again && before.status === 'failed' ? { attempts: MOST_ATTEMPTS - 1 } : {}),
  })
  return waits
}

export type TaskKey = Pick<WriterTasksTable, 'kind' | 'agent_id' | 'harness' | 'session'>

function taskRow(tx: WriteTx, key: TaskKey) {
  return tx.db
    .selectFrom('writer_tasks')
    .selectAll()
    .where((eb) => eb.and(keyOf(key)))
    .executeTakeFirst()
}

type Changed = Partial<Omit<WriterTasksTable, keyof TaskKey | 'turns' | 'revision' | 'attempts'>> & {
  readonly turns?: number
  readonly revision?: number
  readonly attempts?: number
}

async function updateTask(tx: WriteTx, key: TaskKey, changed: Changed): Promise<void> {
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
