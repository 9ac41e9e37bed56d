/** A source in the application's format, written by tests, for one adapter. */
import type { Adapter } from '../../src/ingest/adapter.ts'

export interface Exchange {
  readonly prompt: string
  readonly answer: string
  /** Unix milliseconds. */
  readonly at: number
  readonly tool?: { readonly name: string; readonly params: Readonly<Record<string, unknown>>; readonly result: string }
}

export interface SampleSource {
  readonly name: string
  /** lines: append-only, skips bad lines. json: rewritten as a whole. database: SQLite. */
  readonly kind: 'lines' | 'json' | 'database'
  /** The format drops tool calls. */
  readonly noTools?: boolean
  readonly adapter: (folder: string) => Adapter
  /**
   * Writes one session as the application would and returns the path of its unit. Repeatable with more or fewer exchanges. Ids and times
   * depend only on `session` and position: equal calls give equal bytes or rows.
   */
  readonly write: (folder: string, session: string, exchanges: readonly Exchange[]) => string
}
