/** A test-written source of events in the application's format, for one adapter. */
import type { Adapter } from '../../src/ingest/adapter.ts'

export interface Happening {
  readonly text: string
  /** Absent for the owner. */
  readonly from?: string
  /** Unix milliseconds. */
  readonly at: number
}

export interface EventSource {
  readonly name: string
  /** file: damage costs one record. database: damage costs the whole SQLite file. */
  readonly kind: 'file' | 'database'
  readonly adapter: (folder: string) => Adapter
  /**
   * Makes one unit hold exactly these events of one conversation and returns its path. Repeatable with more or fewer events. Ids depend
   * only on `name` and position.
   */
  readonly write: (folder: string, name: string, happenings: readonly Happening[]) => string
}
