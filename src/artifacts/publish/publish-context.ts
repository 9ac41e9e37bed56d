import type { SentenceWriter } from '../../analyze/memory-sentence.ts'
import type { Clock } from '../../core/clock.ts'
import type { Store } from '../../store/store.ts'
import type { TombstoneReader } from '../../tombstones/tombstones.ts'

export interface PublishContext {
  readonly store: Store
  readonly workspace: string
  readonly clock: Clock
  readonly tombstones: TombstoneReader
  /** Updates the agent's MEMORY.md from files already written. */
  readonly project: (agentId: string) => Promise<void>
  /** Writes sentences instead of the rules. */
  readonly writer?: SentenceWriter
  /** Called each time rules replace a failed `writer`. */
  readonly onStoodIn?: () => void
  readonly signal?: AbortSignal
  /** Skips publications of other processes. If absent, both work and the first write wins. */
  readonly leaveBusy?: boolean
  /** Called before each step. */
  readonly onStep?: (step: string) => void | Promise<void>
}

export interface Published {
  readonly session_id: string
  readonly flow: 'session-end' | 'compaction'
  /** skipped: never published, for `reason`. */
  readonly status: 'published' | 'unchanged' | 'skipped'
  readonly reason?: string
  /** Newly written; relative to the workspace root. */
  readonly paths: readonly string[]
}

/** Files and manifest are written; MEMORY.md is next. */
export interface Publication {
  /** Agent to render next; undefined if MEMORY.md would not change. */
  readonly renders: string | undefined
  /** Call after rendering. Undefined: another process ended it first. */
  finish(): Promise<Published | undefined>
}
