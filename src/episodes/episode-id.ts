/** Derived from content only, so every machine computes the same ids. */
import { shortHash } from '../core/hash.ts'

export function episodeId(definition: string, thread: string, first: string): string {
  return shortHash(32, definition, '\n', thread, '\n', first)
}
