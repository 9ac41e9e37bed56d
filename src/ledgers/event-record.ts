/** Records from event adapters, in one shape for all sources. */
import type { Trust } from '../core/trust.ts'

export type EventRecord = ThreadRecord | OneEventRecord | SeriesPartRecord

/** Must precede its events; stored with the first of them. */
export interface ThreadRecord {
  readonly type: 'thread'
  /** Derived from the source's id, never random. */
  readonly id: string
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
  readonly id: string
  /** Native id, unique within the adapter. */
  readonly sourceId: string
  readonly timestamp: number
  readonly channel: string
  readonly contentTypes: readonly string[]
  readonly content: string | null
  /** From the owner's point of view. */
  readonly direction: 'sent' | 'received' | 'observed'
  readonly thread?: string | null
  readonly replyTo?: string | null
  readonly speaker?: string | null
  readonly people?: readonly EventPerson[]
  /**
   * The event's own parts of `content` (UTF-16 ranges), without quoted history and signature. Only they are indexed. Absent: everything.
   */
  readonly ownWords?: readonly (readonly [from: number, to: number])[]
  /**
   * Orders versions from several files: the greater is newer, none is oldest; older ones are ignored. Also stored in `metadata.version`.
   */
  readonly version?: string
  readonly trust: Trust
  readonly agentId: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /**
   * A mail: copies are merged, with all labels. Direction, trust and thread follow from `metadata` (mail/mail-facts.ts) and other mails.
   */
  readonly mail?: { readonly owners: ReadonlySet<string> }
}

/** A recurrence rule or exception, from which events are derived. */
export interface SeriesPartRecord {
  readonly type: 'series_part'
  readonly series: string
  /** Empty for the rule; else the occurrence. */
  readonly part: string
  readonly channel: string
  readonly thread: string
  /** The greater is newer; older ones are ignored. */
  readonly version: string
  /** Start of the last occurrence, if the rule tells. */
  readonly endsAt: number
  /** In the adapter's own shape. */
  readonly body: unknown
  /** Lets forget and ignore rules match. Not stored. */
  readonly content: string | null
  readonly people: readonly EventPerson[]
  readonly agentId: string
}

export interface EventPerson {
  readonly role: 'from' | 'to' | 'cc' | 'bcc' | 'organizer' | 'attendee' | 'member'
  /** Normalized by `people/handle.ts`. */
  readonly handle: string
  /** As the source spells it here. */
  readonly name?: string | null
}
