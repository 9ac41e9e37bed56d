/** Optional port of file-based engines. Without it, sync, index and search still work; backup, restore and forget call `requireFile`. */
import { MnemonicError } from '../core/error.ts'

export interface StoreFile {
  readonly path: string
  /** Also compares resolved symlinks. */
  is(path: string): boolean
  /** Bytes, including the WAL. */
  size(): Promise<number>
  /**
   * Consistent copy while others write. Removes `path` on failure. Throws STORAGE_ERROR if verification fails; `unchecked` skips it for a
   * damaged source.
   */
  copyTo(path: string, options?: CopyOptions & { readonly unchecked?: boolean }): Promise<void>
  /**
   * Replaces all content in one transaction: other processes see the old or the new. Returns false, unchanged, if `expectMeta` no longer
   * holds.
   */
  replaceWith(path: string, options: ReplaceOptions): Promise<boolean>
  overwriteDeleted(on: boolean): Promise<void>
  /**
   * Removes deleted data from the files: truncates the WAL and optionally rewrites the database. Throws STORAGE_ERROR if space is short.
   */
  erase(options?: { readonly rewrite?: boolean }): Promise<Erased>
  /** Throws STORAGE_ERROR if a rewrite would not fit; check before deleting. */
  requireRoom(): Promise<void>
  /** Names and comments of the schema, which occur in every database file. */
  schemaTexts(): Promise<string[]>
  values(): AsyncIterable<unknown>
}

export interface Erased {
  readonly logEmptied: boolean
  readonly rewritten: boolean
}

export interface CopyOptions {
  readonly onBytes?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ReplaceOptions extends CopyOptions {
  /** Rows of `meta`, checked under the write lock; undefined means absent. */
  readonly expectMeta: Readonly<Record<string, string | undefined>>
}

export function requireFile(store: { readonly location: string; readonly file?: StoreFile }, what: string): StoreFile {
  if (store.file !== undefined) return store.file
  throw new MnemonicError('NOT_SUPPORTED', `${what} needs a database that is a file, and ${store.location} is none`, {
    details: { location: store.location },
    hint: 'Use the tools of the database itself for this.',
  })
}
