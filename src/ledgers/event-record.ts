/** What an adapter hands to the events ledger: threads, and what was said or happened in them, of every source in one shape. */
import type { Trust } from '../core/trust.ts'

export type EventRecord = ThreadRecord | OneEventRecord

/** A conversation or a series. Comes before its events, and is stored with the first of them. */
export interface ThreadRecord {
  readonly type: 'thread'
  /** Derived from what the source calls it, never random. */
  readonly id: string
  /** As the source names it. */
  readonly sourceId: string
  readonly channel: string
  readonly name?: string | null
  readonly parentThread?: string | null
  readonly agentId: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly createdAt: number
  readonly updatedAt: number
}

export interface OneEventRecord {
  readonly type: 'event'
  /** Derived from what the source calls it, never random. */
  readonly id: string
  /** As the source names it; unique within the adapter. */
  readonly sourceId: string
  readonly timestamp: number
  readonly channel: string
  /** `text`, `image` … */
  readonly contentTypes: readonly string[]
  readonly content: string | null
  /** Seen from the owner. */
  readonly direction: 'sent' | 'received' | 'observed'
  /** The id of a thread. */
  readonly thread?: string | null
  /** The id of an event. */
  readonly replyTo?: string | null
  readonly speaker?: string | null
  /** Everybody who took part, the speaker too. */
  readonly people?: readonly EventPerson[]
  /**
   * The parts of `content` that this event says itself, in UTF-16 units: a mail without the history that it quotes, and without its signature. Only
   * they are indexed. Absent: all of it.
   */
  readonly ownWords?: readonly (readonly [from: number, to: number])[]
  readonly trust: Trust
  readonly agentId: string
  /** `changed_at` says when the event last changed at its source, in milliseconds: a state that is older than the stored one is passed over. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface EventPerson {
  readonly role: 'from' | 'to' | 'cc' | 'bcc' | 'organizer' | 'attendee' | 'member'
  /** Normalized by `people/handle.ts`. */
  readonly handle: string
  /** As the source writes it here. */
  readonly name?: string | null
}
