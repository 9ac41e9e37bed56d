/** Tasks are idempotent: the worker may do one twice. */

export type WriterTaskKind = 'capture' | 'publish' | 'compaction'

export interface WriterTask {
  readonly kind: WriterTaskKind
  readonly agent: string
  readonly harness: string
  readonly session: string
  /** Path of its log, if the harness named it: only this file is read. */
  readonly log?: string
}
