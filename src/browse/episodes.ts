/** What a person asks of episodes: which there are, newest first, what one of them holds, and by which definitions they are made. All of it redacted. */
import type { Trust } from '../core/trust.ts'
import type { ShownPerson } from './shown-people.ts'

export interface EpisodesRequest {
  /** `imessage`, `gmail`, `calendar`, or a harness. */
  readonly channel?: string
  /** The name of a definition; without one, all but single turns, which `show` has. */
  readonly definition?: string
  /** The id of a thread or session, or a part of its name. */
  readonly thread?: string
  /** Only those that name this person, project or thing, or in which that person took part. */
  readonly entity?: string
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
  readonly agent?: string
  /** 1 to 10,000; 20 when absent. */
  readonly limit?: number
}

export interface EpisodeList {
  /** Newest first. */
  readonly episodes: readonly EpisodeSummary[]
  /** How many there are, beyond the limit too. */
  readonly total: number
  /** The owner's, in which times are shown. */
  readonly timezone: string
}

export interface EpisodeSummary {
  readonly episode_id: string
  readonly definition: string
  readonly strategy: string
  readonly channel: string | null
  /** Of a thread of the events ledger, or of a session. */
  readonly thread_id: string | null
  readonly thread_name: string | null
  /** The others of its first event: the owner is left out. Of agents none. */
  readonly people: readonly ShownPerson[]
  readonly start: string
  readonly end: string
  /** Of whole days: the first of them, and the first after them. A holiday is on its days wherever its owner is. */
  readonly start_date: string | null
  readonly end_date: string | null
  /** Of a meeting: `confirmed`, `tentative` or `cancelled`. */
  readonly status: string | null
  readonly event_count: number
  /** How its first event begins. */
  readonly first_words: string | null
  readonly trust: Trust
  /** Nothing more is expected to join it. */
  readonly closed: boolean
}

export interface ShownEpisode {
  readonly episode: EpisodeSummary
  /** In the order of time; of agents what was said, without tools. */
  readonly events: readonly EpisodeEvent[]
  /** How many there are, beyond the limit too. */
  readonly total: number
  /** The owner's, in which times are shown. */
  readonly timezone: string
}

export interface EpisodeEvent {
  readonly event_id: string
  readonly timestamp: string | null
  /** Seen from the owner: sent, received or observed; of agents user or assistant. */
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
