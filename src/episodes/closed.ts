/** One-time work on an episode waits until it is closed. */
import type { GroupingRule } from './definitions.ts'
import { gapOf } from './time-gap.ts'

/** Times in milliseconds. */
export interface EpisodeSpan {
  readonly end_time: number
  /** Turn status (`open`, `final`, `superseded`) or session status (`active`, `ended`, `deleted`). */
  readonly status?: string | null
}

const QUIET_THREAD_MS = 7 * 24 * 3_600_000

/** A closed episode reopens only if a record joins it, which changes its `revision`. */
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
