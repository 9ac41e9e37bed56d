/** Where a run found something, and what it knows an entity by. */
import type { CountryCode } from 'libphonenumber-js/min'
import type { EntityKey, OwnerKnown } from './entity-key.ts'
import type { GraphEpisode } from './graph-episode.ts'

export interface ExtractedFrom {
  /** Of the analysis: what it wrote before is replaced. */
  readonly runId: string
  /** An `EpisodeText` is one. Every span must lie in one of its messages. */
  readonly episode: GraphEpisode
  readonly agentId: string
  /** The clock, for `recorded_at` only. */
  readonly now: number
  /** Who the owner is, so that all of the owner's handles are one person. */
  readonly owner?: OwnerKnown | undefined
  /** Where numbers without a country code are from (`countryOf`). */
  readonly country?: CountryCode | undefined
  /** The configuration's, beside `DefaultEntityTypes`. */
  readonly addedTypes?: readonly string[] | undefined
  /** `graph.auto_merge` of the configuration. */
  readonly autoMerge?: boolean | undefined
  /** The caller settles what waits, for many runs at once: asking after each run whom its entities may be reads the same aliases again and again. */
  readonly settlesLater?: boolean | undefined
  readonly sourceType?: 'stated' | 'inferred' | 'imported' | 'owner'
  /** Entities of the extraction that are known already, by `ref`: the owner named them. */
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
  /** What must not be written of it. */
  readonly isForgotten: (value: string) => boolean
}
