/** snake_case: the JSON of `index`. */

export interface IndexReport {
  readonly sessions: number
  readonly documents: number
  readonly chunks: number
  readonly unchanged: number
  readonly removed: number
  readonly calls: number
  readonly partial: readonly string[]
  readonly duration_ms: number
  readonly warnings: readonly string[]
}

export interface IndexStatusRow {
  readonly session_id: string
  readonly file_path: string
  readonly file_hash: string
  readonly last_indexed: string
  readonly chunk_count: number
  readonly status: 'complete' | 'partial' | 'failed'
}
