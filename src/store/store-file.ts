/**
 * The optional part of the store port: what only an engine can do whose database is a file on this machine. An engine without it still
 * syncs, indexes and searches; backup, restore and forgetting need it and say so (`requireFile`).
 */
import { MnemonicError } from '../core/error.ts'

export interface StoreFile {
  /** The database file, as it was opened. */
  readonly path: string
  /** True for the path of the database file: as it was opened, and where links lead from there. */
  is(path: string): boolean
  /** Size on disk, in bytes, with what is not yet checkpointed. */
  size(): Promise<number>
  /**
   * Writes everything, as it stands at one moment, into the file `path`, while others go on writing here. On failure nothing is left there.
   * The copy is whole when this returns, or it throws STORAGE_ERROR; `unchecked` leaves that out, for what may be damaged already.
   */
  copyTo(path: string, options?: CopyOptions & { readonly unchecked?: boolean }): Promise<void>
  /**
   * Replaces everything here by the content of another closed database file of ours, in one transaction: every process sees the old content
   * or the new one. False, with nothing changed, when `expectMeta` did not hold any more.
   */
  replaceWith(path: string, options: ReplaceOptions): Promise<boolean>
  /** While it is on, what is deleted is overwritten too. */
  overwriteDeleted(on: boolean): Promise<void>
  /**
   * Takes what was deleted out of the files: empties the log of changes and, when asked, writes the database anew. Throws STORAGE_ERROR
   * where there is no room for that.
   */
  erase(options?: { readonly rewrite?: boolean }): Promise<Erased>
  /** Throws STORAGE_ERROR where there is no room to write the database anew; to be asked before anything is removed. */
  requireRoom(): Promise<void>
  /** Names and remarks of the schema: their bytes stand in every file of this engine, whatever was stored in it. */
  schemaTexts(): Promise<string[]>
  /** Every stored value, each once: neither views nor the text index, which is made from the chunks. */
  values(): AsyncIterable<unknown>
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

/** The file part of a store, for work that cannot be done without one: throws NOT_SUPPORTED where the engine has none. */
export function requireFile(store: { readonly location: string; readonly file?: StoreFile }, what: string): StoreFile {
  if (store.file !== undefined) return store.file
  throw new MnemonicError('NOT_SUPPORTED', `${what} needs a database that is a file, and ${store.location} is none`, {
    details: { location: store.location },
    hint: 'Use the tools of the database itself for this.',
  })
}
