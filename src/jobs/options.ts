/** Part of the public library. */
import type { OnProgress } from '../core/progress.ts'

export interface JobHooks {
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface SyncOptions extends JobHooks {
  /** If absent: all enabled. */
  readonly adapters?: readonly string[]
  /** A file is read whatever its source; a folder only for enabled sources. */
  readonly path?: string
  /** Rereads unchanged files, to fill in data that older versions did not store. */
  readonly reread?: boolean
  /** Milliseconds to wait for another sync; default 15 minutes. 0 throws JOB_RUNNING at once. */
  readonly waitMs?: number
  /** False defers vectors. */
  readonly embed?: boolean
  /** False defers topics and decision flags to the next sync or index run. */
  readonly analyze?: boolean
}

export interface IndexOptions extends JobHooks {
  /** Default: new. */
  readonly scope?: 'new' | 'all'
  /** By id, label or unique prefix; rebuilt completely. */
  readonly session?: string
  /** False defers lost vectors to the next sync. */
  readonly embed?: boolean
}

export interface ExportQmdOptions extends JobHooks {
  /** Absolute. Default: the configured qmd.dir, else qmd/ in the home. */
  readonly dir?: string
}
