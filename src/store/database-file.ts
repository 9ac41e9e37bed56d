/** The port for database files that are not open as the home's store: backups, copies that are being prepared. */
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

export interface DatabaseFiles {
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
