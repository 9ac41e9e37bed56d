/** What a hook writes and reads: without the query builder, since its process lives for one call and has little time. */
import type { LeasesTable, WriterTasksTable } from './tables.ts'

export interface TaskRows {
  /**
   * Leaves a task in a transaction of its own, or adds to the row that its session has: another request, a turn that ended. True where it
   * waits then: because it did before, or because so many turns are counted. Of a session that was forgotten nothing is left, and none waits.
   */
  leave(note: TaskNote, wait?: { readonly patienceMs?: number; readonly signal?: AbortSignal | undefined }): Promise<boolean>
  /** A lease as it was last written, whether its owner lives or not. */
  lease(name: string): Promise<LeasesTable | undefined>
}

export interface TaskNote extends Pick<WriterTasksTable, 'kind' | 'agent_id' | 'harness' | 'session' | 'log'> {
  /** To be added to those that are counted. */
  readonly turns: number
  /** It waits from so many counted turns on; null: these turns are counted only. */
  readonly due_at: number | null
  /** Of one that had failed, and waits again: so many tries are used up. */
  readonly attempts: number
  readonly now: number
  /** The hashes by which a tombstone would stand for the session, made with what `meta` holds: asked in the transaction that leaves the task. */
  readonly fence: (meta: (key: string) => string | undefined) => readonly string[]
}
