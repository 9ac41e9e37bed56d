/** What a sync of sources is asked to do, and by what means. */
import type { Clock } from '../core/clock.ts'
import type { OnProgress } from '../core/progress.ts'
import type { Store, WriteTx } from '../store/store.ts'
import type { Adapter } from './adapter.ts'
import type { IgnoresEvent } from './ignore-events.ts'
import type { ReadAhead } from './open-unit.ts'

export interface SyncSourcesOptions {
  readonly store: Store
  /** In the order in which they are asked whose file it is. */
  readonly adapters: readonly Adapter[]
  /** Those that are off: where a file below `path` is nobody else's, they say that it would be theirs. */
  readonly dormant?: readonly Adapter[]
  /** Those of them that are read with consent only: each of their files below `path` is listed. */
  readonly needsConsent?: (adapter: Adapter) => boolean
  readonly path?: string
  /** Read again what size and time call unchanged, and what was read before from other folders. */
  readonly reread?: boolean
  /** With `path`: the caller named no adapter, so each file is recognised by its content. */
  readonly byContent?: boolean
  readonly clock: Clock
  readonly quietMs: number
  readonly ignore: (project: string) => boolean
  /** Which events are kept out, asked for each unit; undefined where none is. Absent: none is. */
  readonly ignoreEvents?: () => Promise<(() => IgnoresEvent) | undefined>
  /** Reads what there is much of ahead, in another thread. Absent: everything is read here. */
  readonly readAhead?: ReadAhead
  /** Runs inside every write transaction, before anything is written: a lost lease stops the run there. */
  readonly guard: (tx: WriteTx) => Promise<void>
  /** After each group of units: the moment to bring the index up to date. */
  readonly afterGroup: () => Promise<void>
  /** Once all sources are read, before what is derived from them. */
  readonly settle?: () => Promise<void>
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}
