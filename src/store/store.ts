/**
 * The database port: what any engine can do. Nothing outside store/ knows which one answers, or writes its dialect: queries are built with
 * Kysely from what all engines have, and what is not among that is a method here. test/contracts/store.ts is the suite that every engine must pass.
 *
 * Text is compared and sorted by its UTF-8 bytes, in every column, index and query: paths, ids and names have the same order on every engine
 * and machine, and a keyset (`where id > last order by id`) finds each row once. An engine whose default is a language's order declares its
 * text columns otherwise (Postgres: `collate "C"`). `like` ignores the case of ASCII letters on some engines: ask it only for what is written
 * in one case.
 */
import type { Kysely } from 'kysely'
import type { AgentRows } from './agent-rows.ts'
import type { ChunkRows } from './chunk-rows.ts'
import type { Lexical } from './lexical.ts'
import type { GivenNote, ReaderRows } from './reader-rows.ts'
import type { SearchNote, SearchRows } from './search-rows.ts'
import type { SourceDatabase } from './source-database.ts'
import type { StoreFile } from './store-file.ts'
import type { Tables } from './tables.ts'
import type { TaskRows } from './task-rows.ts'
import type { VectorRows, Vectors } from './vectors.ts'
import type { Work } from './work.ts'
import type { WorkRows } from './work-rows.ts'

/** Why nothing can be written: no rights or a read-only disk, or no room. */
export type ReadOnlyReason = 'read-only' | 'full'

export interface Store {
  /** Set if the database was opened for reading only; every write then throws STORAGE_ERROR. */
  readonly readOnly?: ReadOnlyReason
  /** Where the data is, for a person to read: a path or an address. Never to be opened: that is `file.path`. */
  readonly location: string
  /** Plain reads. They see the last committed state and never wait for a writer. */
  readonly read: Kysely<Tables>
  /** What every search reads beside the indexes. */
  readonly rows: SearchRows
  /** What the memory-reader asks beside a search. */
  readonly reader: ReaderRows
  /** Full-text look-ups on the read side. */
  readonly lexical: Lexical
  /** What tool calls did. */
  readonly work: Work
  /** What hooks leave to be done. */
  readonly tasks: TaskRows
  /** Nearest neighbours, and how far embedding has come. */
  readonly vectors: Vectors
  /**
   * Runs `work` in one write transaction and commits it, or rolls all of it back when it throws. Waits while another
   * process writes; gives up with DATABASE_BUSY. Calls of one process run one after the other; not reentrant: `work`
   * must not call `write`. Keep it short: nobody else can write meanwhile.
   */
  write<T>(work: (tx: WriteTx) => Promise<T>, wait?: WriteWait): Promise<T>
  /** The one thing that a search writes, in a transaction of its own. */
  noteSearch(note: SearchNote, wait?: WriteWait): Promise<void>
  /** The one thing that showing writes. */
  noteReturned(note: Pick<SearchNote, 'agent_id' | 'created_at' | 'returned'>, wait?: WriteWait): Promise<void>
  /** The one thing that the reader writes: what it gave to a session. Drops what is too old to matter. */
  noteGiven(note: GivenNote, wait?: WriteWait): Promise<void>
  /**
   * Notes what a hook gives to a session at a tool call. False, and nothing is noted: the first piece was given before, or the session was given
   * `most` times at tool calls.
   */
  noteMoment(note: GivenNote & { readonly most: number }, wait?: WriteWait): Promise<boolean>
  /** Runs one read-only statement of the engine as it stands. Anything that could write is refused with SQL_REFUSED. */
  select(sql: string, limit: number): Promise<{ columns: string[]; rows: unknown[][]; truncated: boolean }>
  /**
   * Runs one read-only statement that a person or an agent typed. It sees every table as a view whose texts went through `redact`, whatever it computes from them,
   * and nothing else; of one agent alone where it is named. Refused with SQL_REFUSED where it would write or reach further.
   */
  selectRedacted(
    sql: string,
    options: { readonly limit: number; readonly redact: (text: string) => string; readonly agent?: string },
  ): Promise<{ columns: string[]; rows: unknown[][]; truncated: boolean }>
  /** Opens somebody else's database file, to be read as a source. The caller closes it. */
  openSource(path: string): Promise<SourceDatabase>
  /**
   * Makes the full-text index again from the chunks, whatever state it is in, and drops from that of tool work what was deleted there. What
   * cannot be mended so is emptied, and waits for the next run of the index.
   */
  rebuildText(): Promise<void>
  /** Some columns of every row of a table or view of `Tables`, for those who look for something wherever it may be. */
  walk(table: string, columns: readonly string[]): AsyncIterable<Readonly<Record<string, unknown>>>
  /** Every table and view with its columns, in the order of names, but for those that the engine keeps for itself and that hold nothing of their own. */
  tables(): Promise<{ readonly name: string; readonly columns: readonly string[] }[]>
  /** Versions and integrity, for `mnemonic doctor`. Reads everything: not for every day. */
  diagnose(): Promise<EngineCheck[]>
  /** Looks for damage for about so long: a small database is looked at whole, a large one in parts. Present where the engine has pages that can be damaged. */
  quickFaults?(budgetMs: number): Promise<QuickFaults>
  /** Present where the database is a file of this machine. */
  readonly file?: StoreFile
  close(): Promise<void>
}

export interface WriteWait {
  /** How long to wait while another process writes: a minute when absent. */
  readonly patienceMs?: number
  /** Ends the waiting with INTERRUPTED. A lock that is free is taken all the same: who stops still has to put things in order. */
  readonly signal?: AbortSignal | undefined
}

export interface EngineCheck {
  readonly name: string
  readonly ok: boolean
  readonly found: string
  readonly hint?: string
}

export interface QuickFaults {
  /** Tables that were looked at, of how many. */
  readonly looked: number
  readonly of: number
  readonly faults: readonly string[]
}

/** What a write transaction offers: plain table work through `db`, prepared statements for the hot paths. */
export interface WriteTx {
  readonly db: Kysely<Tables>
  readonly agents: AgentRows
  readonly chunks: ChunkRows
  readonly vectors: VectorRows
  readonly work: WorkRows
  /** Runs `work` as a part of the transaction that can fail alone: when it throws, only what it wrote is taken back. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}
