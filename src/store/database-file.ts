/** The port for database files that are not open as the home's store: backups, copies that are being prepared. */
import type { Clock } from '../core/clock.ts'
import type { Store } from './store.ts'
import type { CopyOptions } from './store-file.ts'

export interface DatabaseFacts {
  readonly bytes: number
  /** Names of the migrations it has seen. */
  readonly migrations: readonly string[]
  readonly sessions: number
  readonly messages: number
  readonly events: number
  /** Milliseconds UTC of the newest message. */
  readonly lastMessageAt: number | null
}

/** A table of a damaged database. */
export interface SalvagedTable {
  readonly name: string
  /** Rows that were read past damaged pages. */
  readonly kept: number
  /** Rows that are gone; null: some, and nobody knows how many. */
  readonly lost: number | null
  /** The first of them, by id. */
  readonly names: readonly string[]
}

export interface Salvaged {
  /** Only those that lost rows, or could not be read. */
  readonly tables: readonly SalvagedTable[]
  /** Tables of the index that were emptied, and are made from the ledger again. */
  readonly emptied: readonly string[]
  /** Sessions whose messages are there and whose own row is lost. */
  readonly sessions_without_header: readonly string[]
  /** Rows that went with a lost row that they belong to, by table. */
  readonly removed_with_parent: Readonly<Record<string, number>>
}

/** A database whose pages may be damaged, open only to be replaced. Everybody else can read it meanwhile. */
export interface DamagedDatabase {
  /** Keeps others from writing until `unlock`; waits for who writes now. */
  lock(signal?: AbortSignal): Promise<void>
  unlock(): void
  /** Throws JOB_RUNNING where a process that lives holds a lease; says nothing where the leases cannot be read. */
  requireNoLease(clock: Clock): void
  /** Replaces the content by that of `staged`, in one transaction. False, with nothing changed, where somebody wrote since `lock`. */
  replaceWith(staged: string, options?: CopyOptions): Promise<boolean>
  /** Empties the log of changes: nothing of the damaged pages is left. False where a reader kept it. */
  emptyLog(): Promise<boolean>
  close(): void
}

export interface DatabaseFiles {
  /** What is wrong with a closed file of ours that nobody uses, index and full text included; nothing when it is whole. */
  faults(path: string): string[]
  /** Opens a database of ours that may be damaged. Throws NOT_A_DATABASE where not even its first page can be read. */
  openDamaged(path: string): DamagedDatabase
  /** Copies the pages of a database as they are, damaged ones too. */
  copyPages(from: string, to: string, options?: CopyOptions): Promise<void>
  /** Makes a whole database, `staged`, of what can be read of a damaged, closed one. */
  salvage(damaged: string, staged: string): Salvaged
  /**
   * Copies a file that may be of any origin, with what its log holds. Writes nothing beside `from`. Throws NOT_FOUND, or NOT_A_DATABASE
   * when it is no database of ours.
   */
  copy(from: string, to: string, options?: CopyOptions): Promise<void>
  /** What is in a file that is known to be whole. */
  facts(path: string): DatabaseFacts
  /** Reads all of it. Throws NOT_A_DATABASE when it is damaged or not ours, DATABASE_NEWER when a newer program has migrated it. */
  check(path: string): DatabaseFacts
  /** Opens it as a store of its own, brought to this program's schema. */
  open(path: string): Promise<Store>
  /** Makes a file that was opened as a store one file again. It must be closed. */
  seal(path: string): void
  /** Removes the file, with what the engine puts beside it. */
  remove(path: string): void
  /**
   * Gives the file `staged` the name `path`, where no database can be opened; the file of that name, if there is one, is renamed to `aside`. At
   * every moment one of the two is there. Never for a file that other processes have open and can read.
   */
  swap(staged: string, path: string, aside: string): void
}
