import type { ShownPerson } from '../shown-people.ts'

export interface TimelineEntry {
  readonly kind: 'session' | 'meeting' | 'conversation'
  /** `2026-02-03`, in the owner's zone. */
  readonly day: string
  /** Within that day; a meeting keeps its own times. */
  readonly from: string
  readonly to: string
  readonly all_day: boolean
  readonly channel: string
  readonly title: string | null
  /** Session (`c010174c`) or episode (`e:3f2a1c9d`), for `show`; null if there is none yet. */
  readonly id: string | null
  readonly session_id: string | null
  readonly episode_id: string | null
  readonly project_name: string | null
  /** On that day: turns of a session, messages of a conversation, 1 for a meeting. */
  readonly count: number
  /** Without pauses of more than ten minutes; for a meeting its length. */
  readonly active_ms: number
  /** Without the owner. */
  readonly people: readonly ShownPerson[]
  readonly location: string | null
  readonly commits: readonly TimelineCommit[]
  readonly statements: readonly TimelineStatement[]
}

export interface TimelineCommit {
  readonly at: string
  readonly hash: string
  readonly branch: string | null
  readonly subject: string
}

export interface TimelineStatement {
  readonly event_id: string
  readonly type: string
  readonly at: string
  readonly content: string
  readonly words: string
  readonly trust: string
}
