/** What can be asked of a database file that nobody has opened as the home's store. The engine's part lies behind this port. */
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
  /** Throws NOT_A_DATABASE when it is damaged or not ours, DATABASE_NEWER when this program does not know all of its schema. Reads all of it. */
  check(path: string): DatabaseFacts
  /** Opens it as a store of its own, brought to this program's schema. */
  open(path: string): Promise<Store>
  /** Makes a file that was opened as a store one file again. It must be closed. */
  seal(path: string): void
  /** Takes the file away, with what the engine puts beside it. */
  remove(path: string): void
  /**
   * Puts `staged` in the place of a file that cannot be opened; what stood there, if anything, is called `aside` from then on. At every
   * moment the place holds the one or the other. Never for a file that others have open and can read.
   */
  swap(staged: string, path: string, aside: string): void
}
