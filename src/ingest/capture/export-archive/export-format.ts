/** How the export of one service differs from another's: everything else about reading exports is the same for all. */
import type { ReadItem } from '../../adapter.ts'
import type { Fields } from '../fields.ts'

export interface ExportFormat {
  /** The service, as people call it. */
  readonly service: string
  /** Goes up when the same conversation gives other records than before: all of them are then read again. */
  readonly version: number
  /** True for an object with these keys (and the first byte of each value) that is a conversation. */
  readonly isConversation: (keys: ReadonlyMap<string, string>) => boolean
  /** What an object with these keys is, where it belongs to such an export and is no conversation. */
  readonly otherPart: (keys: ReadonlyMap<string, string>) => string | undefined
  /** True for the names that the service gives to its archives. */
  readonly isArchiveName: (name: string) => boolean
  /** What one conversation gives; undefined where the object is none. */
  readonly convert: (conversation: Fields) => readonly ReadItem[] | undefined
}

/** The names of the files that hold conversations, in an archive of either service. */
export const CONVERSATIONS = /(?:^|\/)conversations(?:-\d+)?\.json$/i
