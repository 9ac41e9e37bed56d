/** Full-text look-ups. The query is parts, never engine syntax: whatever text a person or a model types is only text. */

/** One thing to look for. All of its words must stand next to each other, in order. */
export interface Term {
  /** Words as the caller found them; the engine folds case, accents and endings. */
  readonly words: readonly string[]
  /** The last word may go on (`config` finds `configuration`). */
  readonly prefix?: boolean
}

export interface LexicalQuery {
  /** A chunk matches when it holds at least one of these. */
  readonly any: readonly Term[]
  /** And all of these. */
  readonly all?: readonly Term[]
  /** Look only in what this role said; both when absent. */
  readonly role?: 'user' | 'assistant'
}

/** Conditions on a chunk; all of them must hold. Applied before the cut. */
export interface ChunkFilter {
  readonly agentId?: string
  readonly after?: number
  readonly before?: number
  readonly project?: string
  readonly sessionId?: string
  readonly topics?: readonly string[]
  readonly hasDecision?: boolean
  readonly ledger?: string
  readonly sources?: readonly string[]
  /** A person by name: someone of that name speaks in the chunk. */
  readonly speaker?: string
  /** Also what a later edit or fork left behind. */
  readonly branches?: boolean
}

export interface LexicalHit {
  readonly chunkId: number
  /** bm25, positive, higher is better. */
  readonly score: number
}

export interface Lexical {
  /** How many chunks hold the term, at most; 0 when none does. Costs no scan. */
  documentFrequency(term: Term): Promise<number>
  /** The best `limit` chunks, best first. Ties are broken by chunk id, so the order is stable. */
  search(query: LexicalQuery, filter: ChunkFilter, limit: number): Promise<LexicalHit[]>
}
