/** Port of `--match`: per table, maps matching rows to records to forget or rows to sweep. */
import type { Selection } from './selection.ts'
import type { TextMatch } from './text-match.ts'

export interface Found {
  readonly table: string
  readonly row: Readonly<Record<string, unknown>>
  readonly columns: readonly string[]
  readonly match: TextMatch
}

export interface Finder {
  /** Extra columns that `take` needs. */
  readonly keys: readonly string[]
  take(found: Found, selection: Selection): void
}

export type Finders = Readonly<Record<string, Finder>>
