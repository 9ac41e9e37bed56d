/** The port of every source: find units, read them into records. An adapter never writes, neither to the source nor to the store. */
import type { AgentRecord } from '../ledgers/agent-record.ts'
import type { EventRecord } from '../ledgers/event-record.ts'
import type { ContactRecord } from '../ledgers/people/contacts-writer.ts'
import type { SourceDatabase } from '../store/source-database.ts'

export interface Adapter {
  /** "claude-code", "jsonl" … also the source of the sessions that it reads. */
  readonly name: string
  /** It is not ours: what it gives is awaited no longer than until the sync is stopped. */
  readonly isOwners?: boolean
  /**
   * Its units are databases, or files that are rewritten in place: no offset says what is new. `since` then carries what the
   * last read remembered, whatever the unit holds now, and the offsets of its checkpoints only measure how much was read.
   */
  readonly rewritten?: boolean
  /**
   * Raised when the adapter learns to store more of what its units say: what was read by an older version can be filled in by reading it
   * once more. 0 when absent.
   */
  readonly readerVersion?: number
  /** Whether a file is worth opening where nobody asked for this source, by its path alone. Absent: every file is. */
  readonly isLikely?: (path: string) => boolean
  /** Its units are ledgers themselves: a record that is stored already takes over what it lacks. */
  readonly fillsGaps?: boolean
  /**
   * Its rows mirror its units: a unit is read whole, what it no longer holds is removed, and a unit that is gone is removed with its rows.
   * Says which kind of records they are. Absent: the ledger is the truth, and a source that shrinks takes nothing away.
   */
  readonly mirrors?: 'event' | 'document'
  /** The adapter in whose name its events are stored: it derives them from what that one stored. Absent: its own. */
  readonly eventsOf?: string
  /** Its units are address books: handles that a unit no longer names lose their names. */
  readonly addressBook?: boolean
  /** It reads what the other sources wrote: it runs after them, and its counts stay out of the totals. */
  readonly derived?: boolean
  /** The default folders and files, for `mnemonic sources`; also those that do not exist here. */
  defaultPaths(): readonly string[]
  /**
   * The units below the default folders, or below `path` (a file or any folder, searched recursively, links not
   * followed twice). A folder that cannot be listed is reported through `warn`, and the others are listed.
   */
  discover(options: DiscoverOptions): AsyncIterable<SourceUnit>
  /** True when the beginning of a file is this adapter's format. Used where the caller named no adapter. */
  recognises(head: Buffer, path: string): boolean | Promise<boolean>
  /** The same for a database that can be opened: then its tables decide, not its first bytes. */
  recognisesDatabase?(database: SourceDatabase, path: string): boolean | Promise<boolean>
  /**
   * A key by which units that are read in one run are put in order, oldest first, so that a message that several units hold is
   * stored in the session that said it first. Reads a little of the unit: its beginning; its end only for units that begin
   * alike, as a fork does with what it was forked from.
   */
  age?(unit: SourceUnit, reader: UnitReader, at: 'begin' | 'end'): Promise<number>
  /**
   * The records after `since`, in order; re-yielding is safe. Throws MnemonicError NOT_THIS_FORMAT or VALIDATION_ERROR
   * to have the unit quarantined: nothing of it is kept then.
   */
  read(unit: SourceUnit, since: Checkpoint | undefined, reader: UnitReader): AsyncIterable<ReadItem>
}

export interface DiscoverOptions {
  readonly path?: string
  readonly warn: (message: string) => void
  /** The only way to look into a file before it is read. Absent: files are judged by their names alone. */
  readonly reader?: UnitReader
  /** Of an adapter that mirrors: called with the name of a folder that could not be listed. What is stored of units below it stays. */
  readonly unlisted?: (name: string) => void
}

/**
 * A file or database, with a fingerprint that costs one stat (of a database: with its `-wal`, see databaseUnit). Same fingerprint,
 * same content: the unit is not opened. A source without files expresses the state of a unit in the same two numbers.
 */
export interface SourceUnit {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  /** What the database calls it, where that is not its path: the name of a document, or a substitute for a path that was forgotten. */
  readonly name?: string
  /** It can be read once, from its beginning: a pipe. Where reading stopped is not kept. */
  readonly once?: boolean
  /** The caller named the adapter: a file that lacks only a field of its header is read then, with a warning. */
  readonly adapterGiven?: boolean
}

/** Where reading stopped: the first byte not yet done with, and what the adapter must remember to go on from there. */
export interface Checkpoint {
  readonly offset: number
  readonly carry: unknown
}

export type ReadItem =
  /** Of an agent's session. `source` only where the unit holds sessions of other sources than the adapter's own name. */
  | { readonly type: 'record'; readonly record: AgentRecord; readonly source?: string }
  /** Mail, messages, appointments; what was said in turns. */
  | { readonly type: 'event'; readonly record: EventRecord }
  /** What handles are called: of an address book. */
  | { readonly type: 'contact'; readonly record: ContactRecord }
  /** A text that is a file. */
  | { readonly type: 'document'; readonly record: DocumentRecord }
  /** Everything before `offset` is done with and need not be read again. */
  | { readonly type: 'checkpoint'; readonly offset: number; readonly carry: unknown }
  /** A line that is no record of this format: skipped and counted. */
  | { readonly type: 'bad_line'; readonly line: number; readonly reason: string }
  /** A record of a kind this adapter does not know: counted by name, so that format drift is seen. */
  | { readonly type: 'unknown'; readonly name: string }
  /** Something a person should know about this unit. */
  | { readonly type: 'warning'; readonly message: string }

/** A document that somebody wrote. It is redacted, and its private passages are cut, before it is stored. */
export interface DocumentRecord {
  /** Its name in citations and wikilinks, which is the name of its unit. */
  readonly path: string
  readonly agentId: string
  readonly text: string
  /** When it was last written. */
  readonly timestamp: number
}

/** The only way to a unit's bytes: read-only, and every byte is counted. */
export interface UnitReader {
  /**
   * Streams from `offset` to the end in chunks; a pipe from where it is. With `reused`, a chunk holds its bytes only until the next one is asked for:
   * who keeps some copies them. A long file then takes one buffer, not as many as wait to be collected.
   */
  chunks(path: string, offset: number, options?: { readonly reused?: boolean }): AsyncIterable<Buffer>
  /** Up to `length` bytes at `offset`. */
  slice(path: string, offset: number, length: number): Promise<Buffer>
  /** The first `most` bytes of a plain file: never through a link, and a pipe is not waited for. Undefined where there is no such file. */
  plain(path: string, most: number): Promise<Buffer | undefined>
  /** A SQLite database, read-only, with what its application has written but not yet checkpointed. The caller closes it. */
  database(path: string): Promise<SourceDatabase>
}
