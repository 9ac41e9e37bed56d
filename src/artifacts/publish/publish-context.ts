import type { SentenceWriter } from '../../analyze/memory-sentence.ts'
import type { Clock } from '../../core/clock.ts'
import type { Store } from '../../store/store.ts'
import type { TombstoneReader } from '../../tombstones/tombstones.ts'

export interface PublishContext {
  readonly store: Store
  readonly workspace: string
  readonly clock: Clock
  readonly tombstones: TombstoneReader
  /** Updates MEMORY.md from files already written. */
  readonly project: (agentId: string) => Promise<void>
  readonly writer?: SentenceWriter
  /** Called if rules replace a failed `writer`. */
  readonly onStoodIn?: () => void
  readonly signal?: AbortSignal
  /** Skips publications of other processes. If absent, the first write wins. */
  readonly leaveBusy?: boolean
  readonly onStep?: (step: string) => void | Promise<void>
}

export interface Published {
  readonly session_id: string
  readonly flow: 'session-end' | 'compaction'
  /** skipped: see `reason`. */
  readonly status: 'published' | 'unchanged' | 'skipped'
  readonly reason?: string
  /** Newly written; relative to the workspace root. */
  readonly paths: readonly string[]
}

/** All files are written except MEMORY.md. */
export interface Publication {
  /** Agent whose MEMORY.md to render; undefined if it would not change. */
  readonly renders: string | undefined
  /** Undefined: another process ended it first. */
  finish(): Promise<Published | undefined>
}
