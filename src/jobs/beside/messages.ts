import type { EpisodeText } from '../../analyze/analyzer.ts'
import type { LabelledTurn } from '../../analyze/run/labelled.ts'
import type { Paths } from '../../config/paths.ts'
import type { Config } from '../../config/schema.ts'
import type { SentError } from '../../core/sent-error.ts'
import type { Checkpoint, ReadItem } from '../../ingest/adapter.ts'
import type { UnitToRead } from '../../ingest/open-unit.ts'
import type { LedgerCall, NewWork } from '../../store/work-rows.ts'

export interface Start {
  readonly config: Config
  readonly paths: Paths
}

export type Request =
  | { readonly kind: 'read'; readonly adapter: string; readonly reread: boolean; readonly units: readonly UnitToRead[] }
  /** Room for another piece. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'work'; readonly input: readonly LedgerCall[] }
  | { readonly kind: 'labels'; readonly input: readonly EpisodeText[] }

export type Reply = Piece | Made

export interface Piece {
  readonly kind: 'piece'
  readonly since: Checkpoint | undefined
  readonly items: readonly ReadItem[]
  readonly bytes: number
  readonly end: boolean
  readonly error?: SentError
}

/** In request order. */
export type Made =
  | { readonly kind: 'made'; readonly output: readonly NewWork[] | readonly LabelledTurn[] }
  | { readonly kind: 'failed'; readonly error: SentError }

/** Backpressure: most unread pieces while the writer indexes. */
export const PIECES_AHEAD = 8
/** A piece ends at either limit. */
export const PIECE_BYTES = 1 << 20
export const PIECE_ITEMS = 1000
