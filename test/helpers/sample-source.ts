/** A source that tests and benchmarks write themselves, in the format of the application, for one adapter. */
import type { Adapter } from '../../src/ingest/adapter.ts'

/** One prompt and its answer, perhaps with a tool call between them. */
export interface Exchange {
  readonly prompt: string
  readonly answer: string
  /** Unix milliseconds of the prompt. */
  readonly at: number
  readonly tool?: { readonly name: string; readonly params: Readonly<Record<string, unknown>>; readonly result: string }
}

export interface SampleSource {
  /** The adapter's name. */
  readonly name: string
  /** lines: append-only text, a bad line is skipped; json: a document that is rewritten as a whole; database: SQLite. */
  readonly kind: 'lines' | 'json' | 'database'
  /** The format has no tool calls: those of an exchange are left out. */
  readonly noTools?: boolean
  /** The adapter, looking below `folder` instead of the default paths. */
  readonly adapter: (folder: string) => Adapter
  /**
   * Writes one session below `folder` as the application itself would, and returns the path of its unit. Called again with the same
   * session it makes the unit hold just these exchanges: more than before, as the application appends or rewrites, or fewer. Ids
   * and times follow from `session` and the position of an exchange alone, so that the same call gives the same bytes (of rows).
   */
  readonly write: (folder: string, session: string, exchanges: readonly Exchange[]) => string
}
