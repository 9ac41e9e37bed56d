/** Queries are structured terms, so user text is never engine syntax. */

/** Words must be adjacent and in order, unless `pieces` is set. */
export interface Term {
  /** Unnormalized: the engine folds case, accents and endings. */
  readonly words: readonly string[]
  /** Prefix match on the last word (`config` finds `configuration`). */
  readonly prefix?: boolean
  /** The typed text, if `words` are index tokens (CJK bigrams, identifier parts). A speaker check looks for this text, ignoring case. */
  readonly literal?: string
  /** Words are overlapping n-grams of `literal`: they may be anywhere, but the text must contain the literal. */
  readonly pieces?: boolean
}

export interface LexicalQuery {
  /** At least one must match. With `all` they only add to the score. */
  readonly any: readonly Term[]
  readonly all?: readonly Term[]
  /** Only add to the score. Cheap even if common: looked up for matching chunks only. */
  readonly raise?: readonly Term[]
  readonly role?: 'user' | 'assistant'
}

export interface ProjectScope {
  readonly keys: readonly string[]
  readonly folders: readonly string[]
  readonly ids: readonly string[]
}

/** Normalized handles. The owner also matches by event direction: a source may omit which handle was used. */
export interface PersonFilter {
  readonly handles: readonly string[]
  readonly isOwner?: boolean
}

export interface PeopleFilter {
  readonly from?: PersonFilter
  readonly to?: PersonFilter
  readonly with?: PersonFilter
}

/** An entity with those merged into it. Handles match what a person sent or received. */
export interface EntityFilter {
  readonly ids: readonly string[]
  readonly handles: readonly string[]
}

export interface ChannelFilter {
  readonly events: readonly string[]
  readonly sessions: readonly string[]
}

export interface PersonalScope {
  readonly channels: readonly string[]
  readonly handles: readonly string[]
  readonly threads: readonly string[]
}

/** All conditions must hold; applied before the limit. */
export interface ChunkFilter {
  readonly agentId?: string
  /** Inclusive. */
  readonly after?: number
  /** Exclusive. */
  readonly before?: number
  readonly project?: ProjectScope
  readonly sessionId?: string
  readonly topics?: readonly string[]
  readonly hasDecision?: boolean
  /** `agents`: documents of sessions. `events`: documents of people, and turns mirrored as events. */
  readonly ledger?: string
  readonly channels?: ChannelFilter
  readonly people?: PeopleFilter
  readonly entity?: EntityFilter
  /** Restricts messages, mail and calendars to this scope; absent means no restriction. */
  readonly personal?: PersonalScope
  /** Document sources (sessions, events, memory) or session sources (claude-code …); any one is enough. */
  readonly sources?: readonly string[]
  /** One person by full or first name, ignoring case. The query must match that person's own lines. */
  readonly speaker?: readonly string[]
  readonly branches?: boolean
}

export interface LexicalHit {
  readonly chunkId: number
  /** Positive bm25; higher is better. 0 if the query is empty. */
  readonly score: number
}

export interface NearWord {
  /** Lower-cased surface form, never a stem. */
  readonly word: string
  readonly errors: number
  /** Upper bound. */
  readonly chunks: number
}

export interface Lexical {
  /** Upper bound without a scan; 0 only if the index is empty. */
  size(): Promise<number>
  /** Upper bound without a scan of chunks. */
  documentFrequency(term: Term): Promise<number>
  /**
   * Spelling suggestions, best first: fewest errors, same first letter, likelier slip, more chunks. Bounded to a few milliseconds, so the
   * list may be incomplete.
   */
  nearWords(word: string, most: 1 | 2): Promise<NearWord[]>
  /** Best first, ties by chunk id. Without terms, the newest chunks that pass the filter. */
  search(query: LexicalQuery, filter: ChunkFilter, limit: number): Promise<LexicalHit[]>
  holding(terms: readonly Term[], chunkIds: readonly number[]): Promise<Set<number>[]>
}
