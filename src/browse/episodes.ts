/** All answers are redacted. */
import type { Trust } from '../core/trust.ts'
import type { ShownPerson } from './shown-people.ts'

export interface EpisodesRequest {
  readonly channel?: string
  /** Name of a definition; by default all except single turns. */
  readonly definition?: string
  /** Id of a thread or session, or a part of its name. */
  readonly thread?: string
  readonly entity?: string
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
  readonly agent?: string
  readonly limit?: number
}

export interface EpisodeList {
  readonly episodes: readonly EpisodeSummary[]
  /** Including those beyond the limit. */
  readonly total: number
  readonly timezone: string
}

export interface EpisodeSummary {
  readonly episode_id: string
  readonly definition: string
  readonly strategy: string
  readonly channel: string | null
  readonly thread_id: string | null
  readonly thread_name: string | null
  /** Without the owner; empty for agent sessions. */
  readonly people: readonly ShownPerson[]
  readonly start: string
  readonly end: string
  /** Set for whole days: `end_date` is exclusive. A holiday keeps its date in every zone. */
  readonly start_date: string | null
  readonly end_date: string | null
  /** Meetings: `confirmed`, `tentative` or `cancelled`. */
  readonly status: string | null
  readonly event_count: number
  readonly first_words: string | null
  readonly trust: Trust
  /** Nothing more is expected to join it. */
  readonly closed: boolean
}

export interface ShownEpisode {
  readonly episode: EpisodeSummary
  /** In order of time; sessions without tool calls. */
  readonly events: readonly EpisodeEvent[]
  readonly total: number
  readonly timezone: string
}

export interface EpisodeEvent {
  readonly event_id: string
  readonly timestamp: string | null
  /** For the owner: sent, received or observed. In sessions user or assistant. */
  readonly direction: string
  readonly speaker: string | null
  readonly text: string
  readonly trust: Trust
}

export interface EpisodeDefinition {
  readonly name: string
  readonly strategy: string
  readonly channel: string | null
  readonly config: Readonly<Record<string, unknown>>
  readonly description: string | null
  readonly episodes: number
}
