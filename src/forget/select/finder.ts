/** Port of `--match`: which record a match in a table forgets, or which row it sweeps. */
import type { Selection } from './selection.ts'
import type { TextMatch } from './text-match.ts'

export interface Found {
  readonly table: string
  readonly row: Readonly<Record<string, unknown>>
  readonly columns: readonly string[]
  readonly match: TextMatch
}

export interface Finder {
  readonly keys: readonly string[]
  take(found: Found, selection: Selection): void
}

export type Finders = Readonly<Record<string, Finder>>
