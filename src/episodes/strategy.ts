import type { Trust } from '../core/trust.ts'
import type { GroupingRule } from './definitions.ts'

/** Milliseconds, both ends inclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

export const ALWAYS: Span = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }

export interface Member {
  readonly id: string
  readonly timestamp: number
  /** A meeting's end; for other events the timestamp itself. */
  readonly end: number
  readonly trust: Trust
}

/** Ordered by (timestamp, id). Excludes derived events. */
export interface ThreadEvents {
  between(span: Span): AsyncIterable<Member>
  /** Latest first. */
  timesBefore(time: number): AsyncIterable<number>
  timesAfter(time: number): AsyncIterable<number>
  /** Ignores ids that are missing. */
  timesOf(ids: readonly string[]): Promise<number[]>
}

export interface Thread {
  readonly id: string
  readonly channel: string
  readonly agent_id: string
  readonly source_adapter: string
}

/** The result depends only on the thread's events, never on arrival order or earlier episodes. An event belongs to at most one episode. */
export interface EventStrategy {
  readonly groups: (thread: Thread) => boolean
  /** Widens a changed span until every episode with an event inside lies inside. */
  widen(events: ThreadEvents, span: Span, rule: GroupingRule): Promise<Span>
  /** Every episode has at least one event; events are in order. */
  split(events: AsyncIterable<Member>, rule: GroupingRule): AsyncIterable<readonly Member[]>
}
