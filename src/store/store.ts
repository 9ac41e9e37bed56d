/** The database port. Nothing outside store/ knows which engine answers. */
import type { Kysely } from 'kysely'
import type { AgentRows } from './agent-rows.ts'
import type { ChunkRows } from './chunk-rows.ts'
import type { Lexical } from './lexical.ts'
import type { SearchNote, SearchRows } from './search-rows.ts'
import type { SourceDatabase } from './source-database.ts'
import type { Tables } from './tables.ts'
import type { VectorRows, Vectors } from './vectors.ts'

export interface Store {
  /** Where the data lies, for people: a path or an address. */
  readonly location: string
  /** Plain reads. They see the last committed state and never wait for a writer. */
  readonly read: Kysely<Tables>
  /** What every search reads beside the indexes. */
  readonly rows: SearchRows
  /** Full-text look-ups on the read side. */
  readonly lexical: Lexical
  /** Nearest neighbours, and how far embedding has come. */
  readonly vectors: Vectors
  /**
   * Runs `work` in one write transaction and commits it, or rolls all of it back when it throws. Waits while another
   * process writes, for `patienceMs` (a minute when absent); gives up with DATABASE_BUSY. Calls of one process run one after the other; not reentrant: `work`
   * must not call `write`. Keep it short: nobody else can write meanwhile.
   */
  write<T>(work: (tx: WriteTx) => Promise<T>, patienceMs?: number): Promise<T>
  /** Runs one read-only statement as it stands. Anything that could write is refused with SQL_REFUSED. */
  select(sql: string, limit: number): Promise<{ columns: string[]; rows: unknown[][]; truncated: boolean }>
  /**
   * Runs one read-only statement of a stranger. It sees every table as a view whose texts went through `redact`, whatever it computes from them,
   * and nothing else. Refused with SQL_REFUSED where it would write or reach further.
   */
  selectRedacted(
    sql: string,
    options: { readonly limit: number; readonly redact: (text: string) => string },
  ): Promise<{ columns: string[]; rows: unknown[][]; truncated: boolean }>
  /** Opens somebody else's database file, to be read as a source. The caller closes it. */
  openSource(path: string): SourceDatabase
  /** Makes the full-text index again from the chunks, whatever state it is in. */
  rebuildText(): Promise<void>
  /** Some columns of every row of a table, for those who look for something wherever it may be. */
  walk(table: string, columns: readonly string[]): AsyncIterable<Readonly<Record<string, unknown>>>
  /** Every table and view with its columns, the engine's own ones included. */
  tables(): { readonly name: string; readonly columns: readonly string[] }[]
  /** While it is on, what is deleted is overwritten too. */
  overwriteDeleted(on: boolean): Promise<void>
  /**
   * Takes what was deleted out of the files: empties the log of changes and, when asked, writes the database anew. Throws STORAGE_ERROR
   * where there is no room for that.
   */
  erase(options?: { readonly rewrite?: boolean }): Promise<Erased>
  /** Versions and integrity, for `mnemonic doctor`. Reads the whole file: not for every day. */
  diagnose(): Promise<EngineCheck[]>
  /**
   * Writes everything, as it stands at one moment, into the file `path`, while others go on writing here. On failure nothing is left there.
   * The copy is whole when this returns, or it throws STORAGE_ERROR; `unchecked` leaves that out, for what may be damaged already.
   */
  copyTo(path: string, options?: CopyOptions & { readonly unchecked?: boolean }): Promise<void>
  /**
   * Puts the content of another closed database file of ours in the place of everything here, in one transaction: every process sees the
   * old content or the new one. False, with nothing changed, when `expectMeta` did not hold any more.
   */
  replaceWith(path: string, options: ReplaceOptions): Promise<boolean>
  /** Size on disk, in bytes, with what is not yet checkpointed. */
  size(): Promise<number>
  close(): Promise<void>
}

export interface Erased {
  /** False: a reader in another process held on to the log of changes. */
  readonly logEmptied: boolean
  readonly rewritten: boolean
}

export interface CopyOptions {
  readonly onBytes?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ReplaceOptions extends CopyOptions {
  /** Rows of `meta`, looked at when nobody else can write any more; undefined: there is none. */
  readonly expectMeta: Readonly<Record<string, string | undefined>>
}

export interface EngineCheck {
  readonly name: string
  readonly ok: boolean
  readonly found: string
  readonly hint?: string
}

/** What a write transaction offers: plain table work through `db`, prepared statements for the hot paths. */
export interface WriteTx {
  readonly db: Kysely<Tables>
  readonly agents: AgentRows
  readonly chunks: ChunkRows
  readonly vectors: VectorRows
  noteSearch(note: SearchNote): Promise<void>
  /** Runs `work` as a part of the transaction that can fail alone: when it throws, only what it wrote is taken back. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}
