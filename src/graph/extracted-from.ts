import type { CountryCode } from 'libphonenumber-js/min'
import type { EntityKey, OwnerKnown } from './entity-key.ts'
import type { GraphEpisode } from './graph-episode.ts'

export interface ExtractedFrom {
  readonly runId: string
  readonly episode: GraphEpisode
  readonly agentId: string
  /** Used only for `recorded_at`. */
  readonly now: number
  /** Merges all handles of the owner into one person. */
  readonly owner?: OwnerKnown | undefined
  readonly country?: CountryCode | undefined
  readonly addedTypes?: readonly string[] | undefined
  readonly autoMerge?: boolean | undefined
  /** The caller settles after many runs: settling after each one rereads the same aliases. */
  readonly settlesLater?: boolean | undefined
  readonly sourceType?: 'stated' | 'inferred' | 'imported' | 'owner'
  /** Known entities by `ref`, named by the owner. */
  readonly bound?: ReadonlyMap<string, BoundEntity> | undefined
}

export interface BoundEntity {
  readonly id: string
  readonly key: string
}

export interface KnownEntity {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly key: EntityKey
  /** Forgotten values must not be written. */
  readonly isForgotten: (value: string) => boolean
}
