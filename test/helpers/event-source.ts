/** A source of messages between people that tests write themselves, in the format of the application, for one adapter. */
import type { Adapter } from '../../src/ingest/adapter.ts'

export interface SampleMessage {
  /** Names it: the same in every file that holds it. */
  readonly key: string
  readonly text: string
  /** Unix milliseconds, whole seconds. */
  readonly at: number
}

export interface EventSource {
  /** The adapter's name. */
  readonly name: string
  /** grows: units are appended to, and a bad record is skipped; document: one unit is one document; database: SQLite. */
  readonly kind: 'grows' | 'document' | 'database'
  readonly adapter: (folder: string) => Adapter
  /** Makes one unit below `folder` hold just these messages, as the application would write them, and returns its path. */
  readonly write: (folder: string, unit: string, messages: readonly SampleMessage[]) => string
}
