/** A decision as it is stored, and as it is shown. */
import type { Selectable } from 'kysely'
import type { Trust } from '../../core/trust.ts'
import type { DecisionsTable, EventsTable } from '../../store/tables.ts'

export type DecisionRow = Omit<Selectable<DecisionsTable>, 'agent_id'> &
  Pick<Selectable<EventsTable>, 'content' | 'metadata_json' | 'channel' | 'speaker' | 'thread_id'>

export interface ShownDecision {
  /** `d:3f2a1c9d`: `decisions separate` and `decisions join` take it. */
  readonly id: string
  /** Short, of the turn or the episode that says it: `c010174c:7`. `show` takes it. */
  readonly cite: string | null
  readonly event_id: string
  readonly type: 'decision' | 'preference_stated'
  readonly status: 'holds' | 'superseded'
  readonly decided_at: string
  readonly text: string
  /** The same so that it says something by itself: with the option that was chosen, the question that was answered. */
  readonly words: string
  /** What it answers, where it says only with that what was decided. */
  readonly about: string | null
  readonly subject: readonly string[]
  /** Who says it: a name, or null. */
  readonly speaker: string | null
  readonly trust: Trust
  readonly channel: string
  readonly project: string | null
  readonly session_id: string | null
  readonly turn_id: string | null
  readonly title: string | null
  readonly message_id: string
  readonly native_message_id: string | null
  /** Of the message's text, in UTF-16 units; of what the person told a tool, of that tool's result. */
  readonly span: readonly [number, number] | null
  /** How often it was said in the same words. */
  readonly said: number
  readonly superseded_by: Replacement | null
  readonly rule: string | null
  readonly confidence: number | null
}

/** What holds instead. */
export interface Replacement {
  readonly id: string
  readonly cite: string | null
  readonly event_id: string
  readonly decided_at: string
  readonly text: string
  readonly words: string
  /** Which rule saw it, or `owner`. */
  readonly reason: string
}

/** Decisions that belong to one another. */
export interface DecisionLine {
  /** What holds: usually one; the newest first. */
  readonly holds: readonly ShownDecision[]
  /** What held before, the newest first. */
  readonly before: readonly ShownDecision[]
  /** Ids of decisions that hold in other lines and may be about the same. */
  readonly related: readonly string[]
}
