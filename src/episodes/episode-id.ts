/** The id of an episode: nothing but what it is made of, so that the same ledger gives the same ids on every machine. */
import { shortHash } from '../core/hash.ts'

/** Of the definition, the thread (or session) and the first record. */
export function episodeId(definition: string, thread: string, first: string): string {
  return shortHash(32, definition, '\n', thread, '\n', first)
}
