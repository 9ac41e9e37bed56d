/**
 * The queue of the memory-writer. To leave a task is one short transaction: it is what a hook does. A session has one row for each kind of
 * task, however often it is asked for, so that the queue cannot grow beyond the sessions that there are.
 */
import type { AgentMemory } from '../../config/agent-memory.ts'
import type { Store, WriteWait } from '../../store/store.ts'
import { sessionFence } from '../../tombstones/session-fence.ts'
import { dueAt, writes } from './due.ts'
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
  await store.tasks.leave({ ...noteOf(task), turns: 0, due_at: 0, now }, { patienceMs, signal })
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
  return store.tasks.leave({ ...noteOf({ ...task, kind: 'capture' }), turns: 1, due_at: dueAt(write), now }, { patienceMs, signal })
}

function noteOf({ kind, agent: agent_id, harness, session, log }: WriterTask) {
  return { kind, agent_id, harness, session, log: log ?? null, attempts: MOST_ATTEMPTS - 1, fence: sessionFence(harness, session) }
}
