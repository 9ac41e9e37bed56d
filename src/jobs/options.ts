/** Part of the public library. */
import type { OnProgress } from '../core/progress.ts'

export interface JobHooks {
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface SyncOptions extends JobHooks {
  /** If absent: all enabled. */
  readonly adapters?: readonly string[]
  /** A file of any source; in a folder, only enabled sources. */
  readonly path?: string
  /** Fills in data that older versions did not store. */
  readonly reread?: boolean
  /** Default 15 minutes. 0 throws JOB_RUNNING at once. */
  readonly waitMs?: number
  /** False defers vectors. */
  readonly embed?: boolean
  /** False defers topics and decision flags. */
  readonly analyze?: boolean
}

export interface IndexOptions extends JobHooks {
  /** Default: new. */
  readonly scope?: 'new' | 'all'
  /** By id, label or unique prefix; rebuilt whole. */
  readonly session?: string
  /** False defers vectors to the next sync. */
  readonly embed?: boolean
}

export interface ExportQmdOptions extends JobHooks {
  /** Absolute. Default: qmd.dir, else qmd/ in the home. */
  readonly dir?: string
}
