/** What an adapter hands to the events ledger: threads, and what was said or happened in them, of every source in one shape. */
import type { Trust } from '../core/trust.ts'

export type EventRecord = ThreadRecord | OneEventRecord | SeriesPartRecord

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
  /** Where several files tell of one event: greater is newer, and an older one changes nothing. The adapter puts it into `metadata.version` too. */
  readonly version?: string
  readonly trust: Trust
  readonly agentId: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /**
   * It is a mail, of which there may be several copies: they are stored as one, with the labels of all. Its direction, trust and thread follow from
   * `metadata` (mail/mail-facts.ts) and from other mails.
   */
  readonly mail?: { readonly owners: ReadonlySet<string> }
}

/** A rule by which events repeat, or what is different about one of them. The events themselves are derived from it. */
export interface SeriesPartRecord {
  readonly type: 'series_part'
  /** As the source names the series. */
  readonly series: string
  /** Empty for the rule; else which occurrence is different. */
  readonly part: string
  readonly channel: string
  /** The id of the calendar's thread. */
  readonly thread: string
  /** Greater is newer, and an older one changes nothing. */
  readonly version: string
  /** When the last occurrence begins, as far as the rule says. */
  readonly endsAt: number
  /** All that is needed to make the events: of the adapter's own shape. */
  readonly body: unknown
  /** What its events will say, and to whom: what is forgotten or ignored is known by it. Not stored. */
  readonly content: string | null
  readonly people: readonly EventPerson[]
  readonly agentId: string
}

export interface EventPerson {
  readonly role: 'from' | 'to' | 'cc' | 'bcc' | 'organizer' | 'attendee' | 'member'
  /** Normalized by `people/handle.ts`. */
  readonly handle: string
  /** As the source writes it here. */
  readonly name?: string | null
}
