/** The differences between services; everything else about exports is shared. */
import type { ReadItem } from '../../adapter.ts'
import type { Fields } from '../fields.ts'

export interface ExportFormat {
  readonly service: string
  /** Increment if conversion changes; all conversations are then reread. */
  readonly version: number
  /** Takes the keys with the first byte of each value. */
  readonly isConversation: (keys: ReadonlyMap<string, string>) => boolean
  /** Names another kind of object that such exports contain. */
  readonly otherPart: (keys: ReadonlyMap<string, string>) => string | undefined
  readonly isArchiveName: (name: string) => boolean
  readonly convert: (conversation: Fields) => readonly ReadItem[] | undefined
}

/** Same in both services' archives. */
export const CONVERSATIONS = /(?:^|\/)conversations(?:-\d+)?\.json$/i
