import type { Selectable } from 'kysely'
import type { Trust } from '../../core/trust.ts'
import type { DecisionsTable, EventsTable } from '../../store/tables.ts'

export type DecisionRow = Omit<Selectable<DecisionsTable>, 'agent_id'> &
  Pick<Selectable<EventsTable>, 'content' | 'metadata_json' | 'channel' | 'speaker' | 'thread_id'>

export interface ShownDecision {
  /** `d:3f2a1c9d`, for `decisions separate` and `decisions join`. */
  readonly id: string
  /** Turn or episode for `show`: `c010174c:7`. */
  readonly cite: string | null
  readonly event_id: string
  readonly type: 'decision' | 'preference_stated'
  readonly status: 'holds' | 'superseded'
  readonly decided_at: string
  readonly text: string
  /** Self-contained: with the chosen option and the answered question. */
  readonly words: string
  /** The question, if the text alone does not state the decision. */
  readonly about: string | null
  readonly subject: readonly string[]
  readonly speaker: string | null
  readonly trust: Trust
  readonly channel: string
  readonly project: string | null
  readonly session_id: string | null
  readonly turn_id: string | null
  readonly title: string | null
  readonly message_id: string
  readonly native_message_id: string | null
  /** In UTF-16 units of the message; of the tool's result if the person answered a tool. */
  readonly span: readonly [number, number] | null
  readonly said: number
  readonly superseded_by: Replacement | null
  readonly rule: string | null
  readonly confidence: number | null
}

export interface Replacement {
  readonly id: string
  readonly cite: string | null
  readonly event_id: string
  readonly decided_at: string
  readonly text: string
  readonly words: string
  /** The rule that found the replacement, or `owner`. */
  readonly reason: string
}

export interface DecisionLine {
  /** Usually one; newest first. */
  readonly holds: readonly ShownDecision[]
  readonly before: readonly ShownDecision[]
  /** Current decisions of other lines, perhaps about the same. */
  readonly related: readonly string[]
}
