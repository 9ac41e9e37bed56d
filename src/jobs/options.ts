/** The options of long jobs. Part of the public library. */
import type { OnProgress } from '../core/progress.ts'

/** How a caller follows a job, and stops it. */
export interface JobHooks {
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface SyncOptions extends JobHooks {
  /** Names of adapters; all that are enabled when absent. */
  readonly adapters?: readonly string[]
  /** A file or folder to read instead of the default paths. A file is read whatever its source; in a folder only enabled sources are read. */
  readonly path?: string
  /** Read again also what size and time show as unchanged: fills in what an older version did not store, and changes nothing else. */
  readonly reread?: boolean
  /** How long to wait for another process that syncs: 15 minutes when absent; with 0 JOB_RUNNING is thrown at once. */
  readonly waitMs?: number
  /** False leaves the vectors of what is new for later. */
  readonly embed?: boolean
  /** False leaves topics and decision flags of what is new for the next sync or index run. */
  readonly analyze?: boolean
}

export interface IndexOptions extends JobHooks {
  /** new: what changed (default); all: everything again. */
  readonly scope?: 'new' | 'all'
  /** One session alone, by id, label or unique prefix; everything of it again. */
  readonly session?: string
  /** False: what lost its vector waits for the next sync. */
  readonly embed?: boolean
}

export interface ExportQmdOptions extends JobHooks {
  /** Absolute. Default: qmd.dir of the configuration, else qmd/ in the home. */
  readonly dir?: string
}
