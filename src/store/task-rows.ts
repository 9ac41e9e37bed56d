/** Without the query builder: a hook's process is short-lived. */
import type { LeasesTable, WriterTasksTable } from './tables.ts'

export interface TaskRows {
  /**
   * Upserts the session's task in its own transaction. Returns whether it is now due: it was, or enough turns are counted. Ignores
   * forgotten sessions.
   */
  leave(note: TaskNote, wait?: { readonly patienceMs?: number; readonly signal?: AbortSignal | undefined }): Promise<boolean>
  lease(name: string): Promise<LeasesTable | undefined>
}

export interface TaskNote extends Pick<WriterTasksTable, 'kind' | 'agent_id' | 'harness' | 'session' | 'log'> {
  readonly turns: number
  readonly due_at: number | null
  readonly attempts: number
  readonly now: number
  /** Hashes of tombstones that would match the session; checked in the same transaction. */
  readonly fence: (meta: (key: string) => string | undefined) => readonly string[]
}
