/** Whether an episode is over: nothing more is expected to join it. What is made of it once and for all waits for that. */
import type { GroupingRule } from './definitions.ts'
import { gapOf } from './time-gap.ts'

/** What is known of an episode when that is asked. Times in milliseconds. */
export interface EpisodeSpan {
  readonly end_time: number
  /** Of agent_turn and agent_session: the status of the turn (`open`, `final`, `superseded`) or of the session (`active`, `ended`, `deleted`). */
  readonly status?: string | null
}

/** A mail thread that nobody wrote to for so long. */
const QUIET_THREAD_MS = 7 * 24 * 3_600_000

/**
 * An answer that only time can change: an episode that is closed now is open again only when a record comes that belongs into it, and then its
 * `revision` is another.
 */
export function isClosed(definition: Pick<GroupingRule, 'strategy' | 'config'>, episode: EpisodeSpan, now: number): boolean {
  switch (definition.strategy) {
    case 'time_gap':
      return episode.end_time + gapOf(definition) <= now
    case 'thread':
      return episode.end_time + QUIET_THREAD_MS <= now
    case 'single_event':
      return episode.end_time <= now
    case 'aix_turn':
      return true // only final turns become events
    case 'agent_turn':
      return episode.status === 'final' || episode.status === 'superseded'
    case 'agent_session':
      return episode.status === 'ended' || episode.status === 'deleted'
  }
}
