/** Invariant: found = imported + unchanged + quarantined. */

export interface AdapterReport {
  readonly name: string
  readonly found: number
  readonly imported: number
  readonly unchanged: number
  readonly quarantined: number
  readonly records: number
  readonly repeated: number
  /** Deleted units of a mirror; 0 for other sources. */
  readonly removed: number
  readonly ignored: number
  readonly skipped_lines: number
  readonly bytes_read: number
  readonly duration_ms: number
  readonly warnings: readonly string[]
}

export interface SyncReport {
  readonly adapters: readonly AdapterReport[]
  readonly totals: Omit<AdapterReport, 'name'>
  readonly newly_failed_chunks: number
  /** With `memory.auto_publish`. */
  readonly published: number
}
