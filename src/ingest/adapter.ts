/** The port of every source. An adapter only reads; it never writes to source or store. */
import type { AgentRecord } from '../ledgers/agent-record.ts'
import type { EventRecord } from '../ledgers/event-record.ts'
import type { ContactRecord } from '../ledgers/people/contacts-writer.ts'
import type { SourceDatabase } from '../store/source-database.ts'

export interface Adapter {
  readonly name: string
  /** Third-party: a sync does not wait for it after being stopped. */
  readonly isOwners?: boolean
  /**
   * Units are rewritten in place (databases), so offsets are not resume points. `since.carry` holds the state of the last read; checkpoint
   * offsets only measure progress.
   */
  readonly rewritten?: boolean
  /** Increment when the adapter learns to store more; older units are then reread once. Default 0. */
  readonly readerVersion?: number
  /** Path-based filter if the user named no source. Absent: every file. */
  readonly isLikely?: (path: string) => boolean
  /** Units are ledgers: stored records get their missing fields. */
  readonly fillsGaps?: boolean
  /**
   * Units are authoritative: records missing from a unit are deleted, and a deleted unit deletes its rows. Absent: the ledger is
   * authoritative and never shrinks.
   */
  readonly mirrors?: 'event' | 'document'
  /** The adapter from whose events these are derived. Absent: its own. */
  readonly eventsOf?: string
  /** Names of handles that a unit no longer contains are removed. */
  readonly addressBook?: boolean
  /** Reads other sources' results: runs last, and is not counted in totals. */
  readonly derived?: boolean
  /** For `mnemonic sources`; includes paths that do not exist. */
  defaultPaths(): readonly string[]
  /** Units below the defaults or `path` (recursive; follows each link once). Reports unreadable folders through `warn` and continues. */
  discover(options: DiscoverOptions): AsyncIterable<SourceUnit>
  /** Format detection by content, if the caller named no adapter. */
  recognises(head: Buffer, path: string): boolean | Promise<boolean>
  /** Replaces `recognises` for a database that can be opened: its tables decide. */
  recognisesDatabase?(database: SourceDatabase, path: string): boolean | Promise<boolean>
  /**
   * Sort key, oldest first: a message in several units is stored in the session that said it first. `end` breaks ties between a fork and
   * its original.
   */
  age?(unit: SourceUnit, reader: UnitReader, at: 'begin' | 'end'): Promise<number>
  /**
   * Records after `since`, in order; repeats are harmless. Throwing NOT_THIS_FORMAT or VALIDATION_ERROR quarantines the unit and discards
   * its records.
   */
  read(unit: SourceUnit, since: Checkpoint | undefined, reader: UnitReader): AsyncIterable<ReadItem>
}

export interface DiscoverOptions {
  readonly path?: string
  readonly warn: (message: string) => void
  /** Absent: files are judged by name only. */
  readonly reader?: UnitReader
  /** For mirroring adapters: an unreadable folder, whose stored units must stay. */
  readonly unlisted?: (name: string) => void
}

/**
 * A file or database. Equal path, size and mtime mean unchanged, so the unit is not opened. Sources without files encode their state in the
 * two numbers.
 */
export interface SourceUnit {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  /** Stored name if it differs from the path: a document name, or a pseudonym for a forgotten path. */
  readonly name?: string
  /** A pipe: read once, without checkpoints. */
  readonly once?: boolean
  /** The user named the adapter: tolerate missing header fields with a warning. */
  readonly adapterGiven?: boolean
}

/** Resume point: the first unread byte, and the adapter's state. */
export interface Checkpoint {
  readonly offset: number
  readonly carry: unknown
}

export type ReadItem =
  /** `source` only if it differs from the adapter's name. */
  | { readonly type: 'record'; readonly record: AgentRecord; readonly source?: string }
  | { readonly type: 'event'; readonly record: EventRecord }
  | { readonly type: 'contact'; readonly record: ContactRecord }
  | { readonly type: 'document'; readonly record: DocumentRecord }
  | { readonly type: 'checkpoint'; readonly offset: number; readonly carry: unknown }
  | { readonly type: 'bad_line'; readonly line: number; readonly reason: string }
  /** An unknown record type: counted, to detect format drift. */
  | { readonly type: 'unknown'; readonly name: string }
  | { readonly type: 'warning'; readonly message: string }

/** Redacted and stripped of private passages before it is stored. */
export interface DocumentRecord {
  /** Name in citations and wikilinks; also its unit's name. */
  readonly path: string
  readonly agentId: string
  readonly text: string
  readonly timestamp: number
}

/** The only access to a unit's bytes: read-only and counted. */
export interface UnitReader {
  /** Streams from `offset`; a pipe from its position. With `reused`, a chunk is valid only until the next one: copy what you keep. */
  chunks(path: string, offset: number, options?: { readonly reused?: boolean }): AsyncIterable<Buffer>
  slice(path: string, offset: number, length: number): Promise<Buffer>
  /** The start of a regular file. Never follows links or waits for pipes. Undefined if there is no such file. */
  plain(path: string, most: number): Promise<Buffer | undefined>
  /** Includes uncheckpointed WAL changes. The caller must close it. */
  database(path: string): Promise<SourceDatabase>
}
