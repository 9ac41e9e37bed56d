/**
 * What the memory-writer is asked to do. A hook only queues a task and starts at most one worker; the worker takes tasks under a lease, and
 * doing a task twice changes nothing.
 */

export type WriterTaskKind = 'capture' | 'publish' | 'compaction'

export interface WriterTask {
  readonly kind: WriterTaskKind
  readonly agent: string
  readonly harness: string
  /** The session by the harness's own id. */
  readonly session: string
  /** Where its log is, where the harness said so: only this is read, not every source. */
  readonly log?: string
}
