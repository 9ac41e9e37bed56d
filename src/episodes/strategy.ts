/** The port of a strategy over the events ledger: how the events of one thread, in their order, fall into episodes. */
import type { Trust } from '../core/trust.ts'
import type { GroupingRule } from './definitions.ts'

/** From the first to the last millisecond, both included. */
export interface Span {
  readonly from: number
  readonly to: number
}

export const ALWAYS: Span = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }

/** One event of a thread. */
export interface Member {
  readonly id: string
  readonly timestamp: number
  /** When it was over: of a meeting its end, of all else its time. */
  readonly end: number
  readonly trust: Trust
}

/** The events of one thread, by (timestamp, id). Those that were derived from others are none of them. */
export interface ThreadEvents {
  between(span: Span): AsyncIterable<Member>
  /** The times of those before a time, the latest first. */
  timesBefore(time: number): AsyncIterable<number>
  timesAfter(time: number): AsyncIterable<number>
  /** The times of those of these that are there. */
  timesOf(ids: readonly string[]): Promise<number[]>
}

export interface Thread {
  readonly id: string
  readonly channel: string
  readonly agent_id: string
  readonly source_adapter: string
}

/**
 * What it says depends on nothing but the events that the thread holds: neither on the order in which they came nor on the episodes of before. No
 * event belongs to two episodes.
 */
export interface EventStrategy {
  /** Whether it groups the events of such a thread, where the definition names no channel. */
  readonly groups: (thread: Thread) => boolean
  /** Where events within `span` changed: the times between which episodes may be others than before. Every episode with an event in there lies in there. */
  widen(events: ThreadEvents, span: Span, rule: GroupingRule): Promise<Span>
  /** Splits events, given in their order, into episodes; each with at least one event, in order. */
  split(events: AsyncIterable<Member>, rule: GroupingRule): AsyncIterable<readonly Member[]>
}
