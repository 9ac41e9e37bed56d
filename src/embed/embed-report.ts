/** snake_case: the JSON of `embed`. */

export type Stopped = 'budget' | 'cap' | 'provider'

export interface EmbedReport {
  readonly provider: string
  readonly model: string
  readonly dimensions: number | null
  readonly embedded: number
  readonly reused: number
  readonly failed: number
  readonly newly_failed: number
  readonly entities: number
  readonly token_bits: number
  readonly waiting: number
  readonly stopped: Stopped | null
  readonly duration_ms: number
  readonly warnings: readonly string[]
}

export interface EmbedStatus {
  readonly provider: string
  readonly model: string
  readonly dimensions: number | null
  readonly engine: string | null
  readonly chunks: number
  readonly embedded: number
  readonly waiting: number
  readonly failed: number
  readonly token_bits: number
  readonly token_bits_waiting: number
  readonly retry_at: string | null
  readonly configs: readonly EmbedConfigStatus[]
  readonly spent_today: { readonly tokens: number; readonly usd: number; readonly daily_tokens: number; readonly daily_usd: number }
  readonly warnings: readonly string[]
}

export interface EmbedConfigStatus {
  readonly model: string
  readonly dimensions: number
  readonly vectors: number
  /** `answers`: used by search. `next`: replaces it once all chunks are embedded. */
  readonly state: 'answers' | 'next' | 'unused'
  readonly created_at: string
}
