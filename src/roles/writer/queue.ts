/** Queue of the memory-writer. Hooks enqueue in one short transaction. One row per session and kind bounds the queue. */
import type { AgentMemory } from '../../config/agent-memory.ts'
import type { Store, WriteWait } from '../../store/store.ts'
import { sessionFence } from '../../tombstones/session-fence.ts'
import { dueAt, writes } from './due.ts'
import type { WriterTask } from './writer-task.ts'

/** Attempts before a task is failed. A new request gives a failed task one more. */
export const MOST_ATTEMPTS = 3

const PATIENCE_MS = 200

export interface QueueOptions extends WriteWait {
  readonly now: number
}

/** Idempotent while the task waits. */
export async function enqueue(store: Store, task: WriterTask, { now, patienceMs = PATIENCE_MS, signal }: QueueOptions): Promise<void> {
  await store.tasks.leave({ ...noteOf(task), turns: 0, due_at: 0, now }, { patienceMs, signal })
}

/** Counts an ended turn and queues its capture if due. Does not read the log. Returns whether a capture waits. */
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
