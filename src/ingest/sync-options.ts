import type { Clock } from '../core/clock.ts'
import type { OnProgress } from '../core/progress.ts'
import type { Store, WriteTx } from '../store/store.ts'
import type { Adapter } from './adapter.ts'
import type { IgnoresEvent } from './ignore-events.ts'
import type { ReadAhead } from './open-unit.ts'

export interface SyncSourcesOptions {
  readonly store: Store
  /** In detection order. */
  readonly adapters: readonly Adapter[]
  /** Disabled adapters, consulted only to report files that nobody else claims. */
  readonly dormant?: readonly Adapter[]
  /** Disabled adapters whose files below `path` are all listed. */
  readonly needsConsent?: (adapter: Adapter) => boolean
  readonly path?: string
  /** Rereads unchanged units, and known units in other folders. */
  readonly reread?: boolean
  /** With `path`: no adapter was named, so detect files by content. */
  readonly byContent?: boolean
  readonly clock: Clock
  readonly quietMs: number
  readonly ignore: (project: string) => boolean
  /** Creates a filter per unit; undefined if nothing is ignored. */
  readonly ignoreEvents?: () => Promise<(() => IgnoresEvent) | undefined>
  /** Reads large sources in another thread. */
  readonly readAhead?: ReadAhead
  /** Runs first in every write transaction: a lost lease stops the run. */
  readonly guard: (tx: WriteTx) => Promise<void>
  /** After each group of units: time to update the index. */
  readonly afterGroup: () => Promise<void>
  readonly settle?: () => Promise<void>
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}
