/** Notes each search: how long it took and what it found, never what was asked. Never delays or fails a search. */
import type { SearchNote } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'

export interface SearchLog {
  /** Takes note of a search and returns at once. */
  add(note: SearchNote): void
  /** Waits until all that was noted is written or given up. */
  flush(): Promise<void>
}

/** A note is not worth more waiting than a person notices. */
const PATIENCE_MS = 100

export function searchLog(store: Store): SearchLog {
  const waiting = new Set<Promise<void>>()
  async function write(note: SearchNote): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve)) // the answer goes first
    await store.noteSearch(note, { patienceMs: PATIENCE_MS })
  }
  return {
    add(note) {
      // A busy or read-only database loses the note, and nothing else: the search has already answered.
      const written = write(note).catch(() => undefined)
      waiting.add(written)
      void written.then(() => waiting.delete(written))
    },
    async flush() {
      await Promise.all(waiting)
    },
  }
}
