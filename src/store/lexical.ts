/** Full-text look-ups. The query is parts, never engine syntax: whatever text a person or a model types is only text. */

/** One thing to look for. All of its words must be next to each other, in order, unless they are pieces. */
export interface Term {
  /** Words as the caller found them; the engine folds case, accents and endings. */
  readonly words: readonly string[]
  /** The last word may go on (`config` finds `configuration`). */
  readonly prefix?: boolean
  /**
   * What was typed, where `words` are parts that only the index knows (pairs of CJK characters, parts of an identifier).
   * When the search asks who said it, the term counts as said where this text is found, whatever its case.
   */
  readonly literal?: string
  /** The words are overlapping pieces of `literal`: they may be anywhere, but the text must hold the literal. */
  readonly pieces?: boolean
}

export interface LexicalQuery {
  /** A chunk matches when it holds at least one of these. Where `all` is given they only raise the score. */
  readonly any: readonly Term[]
  /** A chunk must hold each of these. */
  readonly all?: readonly Term[]
  /** These only raise the score. Cheap, however common they are: only chunks that match are looked up in their lists. */
  readonly raise?: readonly Term[]
  /** Look only in what this role said; both when absent. */
  readonly role?: 'user' | 'assistant'
}

/** The sessions of a project: of these repositories or roots, in these folders, or these themselves. */
export interface ProjectScope {
  readonly keys: readonly string[]
  readonly folders: readonly string[]
  readonly ids: readonly string[]
}

/** One person, by all of their handles, normalized. The owner also by the direction of an event: a source may not say which handle was used. */
export interface PersonFilter {
  readonly handles: readonly string[]
  readonly isOwner?: boolean
}

/** Who took part in an event: who sent it, who received it, or either. */
export interface PeopleFilter {
  readonly from?: PersonFilter
  readonly to?: PersonFilter
  readonly with?: PersonFilter
}

/** An entity, with those that were merged into it: what names it, and of a person what they sent or received by these handles. */
export interface EntityFilter {
  readonly ids: readonly string[]
  readonly handles: readonly string[]
}

/** Where something was said: channels of people, and sources of sessions; one of them is enough. */
export interface ChannelFilter {
  readonly events: readonly string[]
  readonly sessions: readonly string[]
}

/** Messages, mail and calendars that may be found, where others are left out: of these channels, with these people, or of these threads. */
export interface PersonalScope {
  readonly channels: readonly string[]
  readonly handles: readonly string[]
  readonly threads: readonly string[]
}

/** Conditions on a chunk; all of them must hold. Applied before the cut. */
export interface ChunkFilter {
  readonly agentId?: string
  /** Inclusive. */
  readonly after?: number
  /** Exclusive. */
  readonly before?: number
  readonly project?: ProjectScope
  readonly sessionId?: string
  /** One of these is enough. */
  readonly topics?: readonly string[]
  readonly hasDecision?: boolean
  /** What a ledger holds: `agents` the documents of sessions, `events` those of people and the turns that are among the events. */
  readonly ledger?: string
  readonly channels?: ChannelFilter
  /** One event of the chunk satisfies all of it. */
  readonly people?: PeopleFilter
  readonly entity?: EntityFilter
  /** Messages, mail and calendars only within this scope; all of them when absent. */
  readonly personal?: PersonalScope
  /** Sources of documents (sessions, events, memory) or of sessions (claude-code …); one of them is enough. */
  readonly sources?: readonly string[]
  /**
   * One person, by the names they go by: full, or the first name; case does not matter. The query must match in that
   * person's own lines, also where several people share a role in the chunk.
   */
  readonly speaker?: readonly string[]
  /** Also what a later edit or fork left behind. */
  readonly branches?: boolean
}

export interface LexicalHit {
  readonly chunkId: number
  /** bm25, positive, higher is better; 0 where the query is empty. */
  readonly score: number
}

/** A word of the index that differs from another by typing errors. */
export interface NearWord {
  /** In lower case, as a text has it: never a stem. */
  readonly word: string
  /** Letters too many, missing, wrong, or swapped with their neighbour. */
  readonly errors: number
  /** How many chunks hold it, or another ending of it, at most. */
  readonly chunks: number
}

export interface Lexical {
  /** About how many chunks there are: never less than there are, 0 when there is none. Costs no scan. */
  size(): Promise<number>
  /** How many chunks hold the term, at most; 0 when none does. Costs no scan of chunks. */
  documentFrequency(term: Term): Promise<number>
  /**
   * What somebody may have meant who typed a word that the index does not hold: words of the index within so many typing errors, the likeliest
   * first (fewest errors, then the same first letter, how people mistype, and the number of chunks). Takes a few milliseconds at most, whatever the size of the index:
   * what is not found by then is left out.
   */
  nearWords(word: string, most: 1 | 2): Promise<NearWord[]>
  /**
   * The best `limit` chunks, best first. Ties are broken by chunk id, so the order is stable. A query without terms gives the
   * newest chunks that pass the filter.
   */
  search(query: LexicalQuery, filter: ChunkFilter, limit: number): Promise<LexicalHit[]>
  /** For each term, those of the chunks that hold it. */
  holding(terms: readonly Term[], chunkIds: readonly number[]): Promise<Set<number>[]>
}
