/** The messages between a sync and the thread beside it. */

import type { EpisodeText } from '../../analyze/analyzer.ts'
import type { LabelledTurn } from '../../analyze/run/labelled.ts'
import type { Paths } from '../../config/paths.ts'
import type { Config } from '../../config/schema.ts'
import type { SentError } from '../../core/sent-error.ts'
import type { Checkpoint, ReadItem } from '../../ingest/adapter.ts'
import type { UnitToRead } from '../../ingest/open-unit.ts'
import type { LedgerCall, NewWork } from '../../store/work-rows.ts'

/** What the thread starts with. */
export interface Start {
  readonly config: Config
  readonly paths: Paths
}

export type Request =
  /** To read these units, one after the other. */
  | { readonly kind: 'read'; readonly adapter: string; readonly reread: boolean; readonly units: readonly UnitToRead[] }
  /** A piece was taken: there is room for one more. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'work'; readonly input: readonly LedgerCall[] }
  | { readonly kind: 'labels'; readonly input: readonly EpisodeText[] }

export type Reply = Piece | Made

/** A part of what a unit gives. */
export interface Piece {
  readonly kind: 'piece'
  /** Where reading of the unit began. */
  readonly since: Checkpoint | undefined
  readonly items: readonly ReadItem[]
  /** How much was read for it. */
  readonly bytes: number
  /** The unit gives no more. */
  readonly end: boolean
  /** Why it gives no more. */
  readonly error?: SentError
}

/** What is made of what was asked for, in the order in which it was. */
export type Made =
  | { readonly kind: 'made'; readonly output: readonly NewWork[] | readonly LabelledTurn[] }
  | { readonly kind: 'failed'; readonly error: SentError }

/** So many pieces wait to be taken at most: as much as the writer needs while it indexes what it has. */
export const PIECES_AHEAD = 8
/** A piece ends with the item at which so much was read, or so many items were given. */
export const PIECE_BYTES = 1 << 20
export const PIECE_ITEMS = 1000
