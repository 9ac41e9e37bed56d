/**
 * The database port. Code outside store/ must not depend on an engine or its dialect: it uses Kysely, and engine-specific operations are
 * methods here. Every engine must pass test/contracts/store.ts.
 *
 * Text must compare by UTF-8 bytes everywhere (in Postgres `collate "C"`). Keyset pagination (`where id > last order by id`) relies on it.
 * Use `like` only on text in one case: some engines ignore ASCII case.
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

export type ReadOnlyReason = 'read-only' | 'full'

export interface Store {
  /** Set if opened read-only; writes then throw STORAGE_ERROR. */
  readonly readOnly?: ReadOnlyReason
  /** For people: a path or address. Never open it; use `file.path`. */
  readonly location: string
  /** Reads the last commit; never waits for a writer. */
  readonly read: Kysely<Tables>
  readonly rows: SearchRows
  readonly reader: ReaderRows
  readonly lexical: Lexical
  readonly work: Work
  readonly tasks: TaskRows
  readonly vectors: Vectors
  /**
   * Commits, or rolls back if `work` throws. Waits for other processes, then throws DATABASE_BUSY. Not reentrant: `work` must not call
   * `write`. Keep it short, because it blocks all other writers.
   */
  write<T>(work: (tx: WriteTx) => Promise<T>, wait?: WriteWait): Promise<T>
  noteSearch(note: SearchNote, wait?: WriteWait): Promise<void>
  noteReturned(note: Pick<SearchNote, 'agent_id' | 'created_at' | 'returned'>, wait?: WriteWait): Promise<void>
  /** Also deletes expired entries. */
  noteGiven(note: GivenNote, wait?: WriteWait): Promise<void>
  /** Returns false and writes nothing if the first piece was given before or `most` is reached. */
  noteMoment(note: GivenNote & { readonly most: number }, wait?: WriteWait): Promise<boolean>
  /** Runs one statement read-only. Throws SQL_REFUSED for anything that could write. */
  select(sql: string, limit: number): Promise<{ columns: string[]; rows: unknown[][]; truncated: boolean }>
  /**
   * For untrusted statements: every table is a view whose texts are redacted, optionally limited to one agent. Throws SQL_REFUSED if the
   * statement writes or reaches further.
   */
  selectRedacted(
    sql: string,
    options: { readonly limit: number; readonly redact: (text: string) => string; readonly agent?: string },
  ): Promise<{ columns: string[]; rows: unknown[][]; truncated: boolean }>
  /** The caller must close it. */
  openSource(path: string): Promise<SourceDatabase>
  /** Rebuilds the full-text indexes from any state and drops deleted text. Empties and queues what cannot be repaired. */
  rebuildText(): Promise<void>
  walk(table: string, columns: readonly string[]): AsyncIterable<Readonly<Record<string, unknown>>>
  /** Sorted by name, without engine-internal tables. */
  tables(): Promise<{ readonly name: string; readonly columns: readonly string[] }[]>
  /** Reads the whole database: slow. */
  diagnose(): Promise<EngineCheck[]>
  /** Time-bounded damage check; covers a large database in parts. Only for engines with pages. */
  quickFaults?(budgetMs: number): Promise<QuickFaults>
  readonly file?: StoreFile
  close(): Promise<void>
}

export interface WriteWait {
  /** Default: one minute. */
  readonly patienceMs?: number
  /** Aborts the wait with INTERRUPTED. A free lock is still taken, so that a stopping process can clean up. */
  readonly signal?: AbortSignal | undefined
}

export interface EngineCheck {
  readonly name: string
  readonly ok: boolean
  readonly found: string
  readonly hint?: string
}

export interface QuickFaults {
  readonly looked: number
  readonly of: number
  readonly faults: readonly string[]
}

export interface WriteTx {
  readonly db: Kysely<Tables>
  readonly agents: AgentRows
  readonly chunks: ChunkRows
  readonly vectors: VectorRows
  readonly work: WorkRows
  /** A savepoint: if `work` throws, only its own writes roll back. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}
