/** A source of events that tests write themselves, in the format of the application, for one adapter. */
import type { Adapter } from '../../src/ingest/adapter.ts'

/** Something that somebody said or planned. */
export interface Happening {
  readonly text: string
  /** An address or a number; absent for the owner. */
  readonly from?: string
  /** Unix milliseconds. */
  readonly at: number
}

export interface EventSource {
  /** The adapter's name. */
  readonly name: string
  /** file: a damaged record costs that record; database: SQLite, damaged as a whole. */
  readonly kind: 'file' | 'database'
  /** The adapter, looking below `folder` instead of the default paths. */
  readonly adapter: (folder: string) => Adapter
  /**
   * Makes one unit below `folder` hold just these happenings of one conversation, and returns its path. Called again, it holds more than before, or
   * fewer. Ids follow from `name` and the position alone.
   */
  readonly write: (folder: string, name: string, happenings: readonly Happening[]) => string
}
