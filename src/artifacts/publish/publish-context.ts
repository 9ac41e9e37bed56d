/** What both publications work with, and what a caller learns of them. */
import type { SentenceWriter } from '../../analyze/memory-sentence.ts'
import type { Clock } from '../../core/clock.ts'
import type { Store } from '../../store/store.ts'
import type { TombstoneReader } from '../../tombstones/tombstones.ts'

export interface PublishContext {
  readonly store: Store
  readonly workspace: string
  readonly clock: Clock
  readonly tombstones: TombstoneReader
  /** Brings MEMORY.md of an agent up to date; the files of the session are written by then. */
  readonly project: (agentId: string) => Promise<void>
  /** Writes sentences by other means than rules. */
  readonly writer?: SentenceWriter
  /** Called for each sentence that `writer` should have written and rules wrote. */
  readonly onStoodIn?: () => void
  readonly signal?: AbortSignal
  /** Leaves to another process what it is at; absent: both do it, and the first to write decides. */
  readonly leaveBusy?: boolean
  /** Called before each step. */
  readonly onStep?: (step: string) => void | Promise<void>
}

export interface Published {
  readonly session_id: string
  readonly flow: 'session-end' | 'compaction'
  /** unchanged: it was published before; skipped: it is not published at all, and `reason` says why. */
  readonly status: 'published' | 'unchanged' | 'skipped'
  readonly reason?: string
  /** Relative to the workspace root; those written now. */
  readonly paths: readonly string[]
}

/** A publication that has come as far as the rendering of MEMORY.md: its files and its manifest are written. */
export interface Publication {
  /** The agent whose MEMORY.md is to be rendered next; undefined where nothing changed that it shows. */
  readonly renders: string | undefined
  /** To be called after the rendering. Undefined: another process ended it first. */
  finish(): Promise<Published | undefined>
}
