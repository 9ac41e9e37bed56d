/** What a timeline is made of. */
import type { ShownPerson } from '../shown-people.ts'

/** A session, a meeting or a conversation on one day. */
export interface TimelineEntry {
  readonly kind: 'session' | 'meeting' | 'conversation'
  /** The day in the owner's zone: `2026-02-03`. */
  readonly day: string
  /** Its first and last moment on that day; of a meeting its own, which may lie on other days. */
  readonly from: string
  readonly to: string
  readonly all_day: boolean
  /** imessage, gmail, calendar, or the harness of the session. */
  readonly channel: string
  /** The title of a session or a meeting, the subject of a mail, the name of a chat. */
  readonly title: string | null
  /** Short, of a session (`c010174c`) or an episode (`e:3f2a1c9d`): `show` takes it. Null where there is none yet. */
  readonly id: string | null
  readonly session_id: string | null
  readonly episode_id: string | null
  readonly project_name: string | null
  /** Turns of a session, messages of a conversation, 1 for a meeting; of that day. */
  readonly count: number
  /** How long it was worked on: pauses of more than ten minutes are left out. Of a meeting its length. */
  readonly active_ms: number
  /** The others: the owner is left out. */
  readonly people: readonly ShownPerson[]
  readonly location: string | null
  readonly commits: readonly TimelineCommit[]
  /** What was derived from it on that day, in order of time. */
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
  /** The same so that it says something by itself. */
  readonly words: string
  readonly trust: string
}
