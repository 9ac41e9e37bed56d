/** Port for database files other than the open store: backups and staged copies. */
import type { Clock } from '../core/clock.ts'
import type { Store } from './store.ts'
import type { CopyOptions } from './store-file.ts'

export interface DatabaseFacts {
  readonly bytes: number
  readonly migrations: readonly string[]
  readonly sessions: number
  readonly messages: number
  readonly events: number
  /** Milliseconds UTC. */
  readonly lastMessageAt: number | null
}

export interface SalvagedTable {
  readonly name: string
  /** Rows recovered around damaged pages. */
  readonly kept: number
  /** Null: some, but the number is unknown. */
  readonly lost: number | null
  readonly names: readonly string[]
}

export interface Salvaged {
  readonly tables: readonly SalvagedTable[]
  /** Derived tables that were emptied and must be rebuilt. */
  readonly emptied: readonly string[]
  /** Sessions with messages but without their own row. */
  readonly sessions_without_header: readonly string[]
  readonly removed_with_parent: Readonly<Record<string, number>>
}

/** Open for replacement only; other processes can still read it. */
export interface DamagedDatabase {
  /** Blocks other writers until `unlock`; waits for the current one. */
  lock(signal?: AbortSignal): Promise<void>
  unlock(): void
  /** Throws JOB_RUNNING if a live process holds a lease. Passes if the leases are unreadable. */
  requireNoLease(clock: Clock): void
  /** Replaces the content in one transaction. Returns false, unchanged, if another process wrote since `lock`. */
  replaceWith(staged: string, options?: CopyOptions): Promise<boolean>
  /** Truncates the WAL, so that no damaged page survives. Returns false if a reader blocks it. */
  emptyLog(): Promise<boolean>
  close(): void
}

export interface DatabaseFiles {
  /** Full integrity check of an unused file, indexes included. Empty if it is sound. */
  faults(path: string): string[]
  /** Throws NOT_A_DATABASE if even the first page is unreadable. */
  openDamaged(path: string): DamagedDatabase
  copyPages(from: string, to: string, options?: CopyOptions): Promise<void>
  /** Recovers a sound database `staged` from the readable rows of a closed, damaged one. */
  salvage(damaged: string, staged: string): Salvaged
  /** Copies an untrusted file with its WAL. Writes nothing beside `from`. Throws NOT_FOUND or NOT_A_DATABASE. */
  copy(from: string, to: string, options?: CopyOptions): Promise<void>
  facts(path: string): DatabaseFacts
  /** Reads the whole file. Throws NOT_A_DATABASE if damaged or foreign, DATABASE_NEWER if migrated by a newer version. */
  check(path: string): DatabaseFacts
  open(path: string): Promise<Store>
  seal(path: string): void
  remove(path: string): void
  /**
   * Renames `staged` to `path` and the old file to `aside`, for a database that cannot be opened. One of the two exists at every moment.
   * Never use it on a file that other processes can read.
   */
  swap(staged: string, path: string, aside: string): void
}
