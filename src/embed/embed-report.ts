/** What a run of embedding did, and how much of the index has vectors. snake_case: this is the JSON of `embed`. */

/** Why a run ended before everything was embedded. */
export type Stopped = 'budget' | 'cap' | 'provider'

export interface EmbedReport {
  readonly provider: string
  readonly model: string
  readonly dimensions: number | null
  /** Chunks whose vector was computed in this run. */
  readonly embedded: number
  /** Chunks whose text had a vector already. */
  readonly reused: number
  /** Chunks that were flagged in this run; a later one tries them again. */
  readonly failed: number
  /** Those of them that had not failed before. */
  readonly newly_failed: number
  /** Entities of the graph that got a vector. */
  readonly entities: number
  /** Texts that had a vector before, and got the bits of their tokens. */
  readonly token_bits: number
  /** Chunks that still wait. */
  readonly waiting: number
  readonly stopped: Stopped | null
  readonly duration_ms: number
  readonly warnings: readonly string[]
}

export interface EmbedStatus {
  readonly provider: string
  readonly model: string
  readonly dimensions: number | null
  /** What runs the model; null where it cannot be loaded. */
  readonly engine: string | null
  readonly chunks: number
  readonly embedded: number
  readonly waiting: number
  readonly failed: number
  /** Texts of agents' sessions that have the bits of their tokens, and those that wait for them. */
  readonly token_bits: number
  readonly token_bits_waiting: number
  /** When failed chunks are tried again; null when nothing failed. */
  readonly retry_at: string | null
  readonly configs: readonly EmbedConfigStatus[]
  readonly spent_today: { readonly tokens: number; readonly usd: number; readonly daily_tokens: number; readonly daily_usd: number }
  readonly warnings: readonly string[]
}

/** One model that ever gave vectors. */
export interface EmbedConfigStatus {
  readonly model: string
  readonly dimensions: number
  /** Texts with a vector of it. */
  readonly vectors: number
  /** `answers`: search uses it. `next`: it will, as soon as all chunks have its vectors. */
  readonly state: 'answers' | 'next' | 'unused'
  readonly created_at: string
}
