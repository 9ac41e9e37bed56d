/** The port of `--match`: for each table that holds content, what a text found there means. */
import type { Selection } from './selection.ts'
import type { TextMatch } from './text-match.ts'

/** A row that holds the text. */
export interface Found {
  readonly table: string
  readonly row: Readonly<Record<string, unknown>>
  /** The columns that hold the text. */
  readonly columns: readonly string[]
  readonly match: TextMatch
}

/** What the text in a row of one table means: which record is forgotten, or which row is swept. */
export interface Finder {
  /** Columns beside those of the registry that `take` needs. */
  readonly keys: readonly string[]
  take(found: Found, selection: Selection): void
}

export type Finders = Readonly<Record<string, Finder>>
