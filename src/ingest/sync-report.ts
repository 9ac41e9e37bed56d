/** What a sync did. found = imported + unchanged + quarantined, always. */

export interface AdapterReport {
  readonly name: string
  readonly found: number
  readonly imported: number
  readonly unchanged: number
  readonly quarantined: number
  /** Messages, tool calls and compactions that were new. */
  readonly records: number
  /** Records that another file had given already: stored once. */
  readonly repeated: number
  /** Units of a mirror that are gone, or hold nothing to mirror any more: what was stored of them was removed. 0 of any other source. */
  readonly removed: number
  /** Events of channels and people that the configuration keeps out of the ledger. */
  readonly ignored: number
  readonly skipped_lines: number
  readonly bytes_read: number
  readonly duration_ms: number
  readonly warnings: readonly string[]
}

export interface SyncReport {
  readonly adapters: readonly AdapterReport[]
  readonly totals: Omit<AdapterReport, 'name'>
  /** Chunks that could not be embedded in this run, and had not failed before. */
  readonly newly_failed_chunks: number
  /** Sessions that were published, where `memory.auto_publish` is on. */
  readonly published: number
}
