/** Vectors of chunks: nearest neighbours on the read side, embedding on the write side. Vectors of two models are never compared. */
import type { ChunkFilter } from './lexical.ts'
import type { TokenBitRows, TokenBits } from './token-bits.ts'
import type { WaitingChunk } from './waiting-chunk.ts'

/** All that decides what a vector means. Where any part of it differs, vectors cannot answer for one another. */
export interface EmbeddingIdentity {
  readonly model: string
  readonly dimensions: number
  /** How the windows of a long text become one vector, with its version. */
  readonly pooling?: string
  readonly tokenizer?: string
  /** The version of the lines that are prepended to a text. */
  readonly context?: string
}

export interface VectorConfig extends EmbeddingIdentity {
  /** Derived from model, dimensions, pooling and tokenizer: the same on any machine. */
  readonly id: string
}

export interface ActiveVectors extends VectorConfig {
  /** The model whose vectors are being made now and will answer when all of them are there. */
  readonly next?: VectorConfig
}

export interface VectorCounts {
  readonly embedded: number
  readonly waiting: number
  readonly failed: number
}

export interface VectorCoverage extends VectorCounts {
  /** The same of the model that will answer next, while there is one. */
  readonly next?: VectorCounts
}

export interface VectorFilter extends ChunkFilter {
  /** Only chunks in which this role says something. */
  readonly role?: 'user' | 'assistant'
}

export interface VectorHit {
  readonly chunkId: number
  /** The cosine, -1 to 1. */
  readonly similarity: number
}

export interface WaitingOptions {
  /** By time; `false` gives the oldest first. */
  readonly newestFirst?: boolean
  readonly session?: string
}

export interface Vectors {
  /** The model whose vectors answer searches; undefined when there is none. */
  active(): Promise<ActiveVectors | undefined>
  coverage(): Promise<VectorCoverage>
  /**
   * The `limit` chunks nearest to `query` that satisfy the filter, best first, each with its exact cosine; ties by chunk id. Filters are
   * applied before the cut: there are `limit` hits whenever so many chunks pass. Among many chunks a few of the nearest may be missed
   * (see docs/vectors.md). Nothing when no model is active. Throws EMBEDDING_FAILED where `query` cannot be a vector of the active model.
   */
  nearest(query: Float32Array, filter: VectorFilter, limit: number): Promise<VectorHit[]>
  /** The exact cosine of given chunks; those without a vector are left out. Throws as `nearest` does. */
  similarities(query: Float32Array, chunkIds: readonly number[]): Promise<Map<number, number>>
  /** The cosine of these entities that have a vector of the active model, by id. Throws as `nearest` does. */
  similarEntities(query: Float32Array, ids: readonly string[]): Promise<Map<string, number>>
  /** The chunks to embed next: those that the model of the last `useConfig` has not seen. */
  waiting(limit: number, options?: WaitingOptions): Promise<WaitingChunk[]>
  readonly tokenBits: TokenBits
  /** Bytes held in memory for searches. */
  memory(): number
}

export interface NewVector {
  /** The hash of the embedded text: there is one vector for a text and a model. */
  readonly contentHash: string
  readonly ownerId: string
  readonly agentId: string
  readonly vector: Float32Array
}

export interface Swap extends VectorCounts {
  readonly swapped: boolean
}

/** What a write transaction does with vectors. All of it concerns the model of the last `useConfig`. */
export interface VectorRows {
  /**
   * Names the model that vectors are made by from now on. When another one answers, its vectors go on answering until `swap`;
   * `shadow` says so. Going back to the active model drops what was begun.
   */
  useConfig(identity: EmbeddingIdentity & { readonly name?: string }): Promise<VectorConfig & { readonly shadow: boolean }>
  /** The model that vectors are made by now. */
  using(): Promise<VectorConfig>
  /** The vectors of entities that have one of the model that vectors are made by now, by id. */
  ofEntities(ids: readonly string[]): Promise<Map<string, Float32Array>>
  /** Numbers of the vectors that exist already, by content hash. */
  known(contentHashes: readonly string[]): Promise<Map<string, number>>
  /** Stores a vector at length 1, or finds the one that is stored. Throws EMBEDDING_FAILED for wrong dimensions, zeros, and what is no number. */
  add(vector: NewVector): Promise<number>
  /**
   * Gives a chunk its vector: the vector, the mark that it exists and the index over it are one transaction. False, and nothing is
   * written, when the chunk is gone or is not what its stamp says (ids are used again).
   */
  assign(chunkId: number, number: number, stamp?: string): Promise<boolean>
  fail(chunkId: number): Promise<void>
  /** Lets the chunks that failed wait again; returns their ids. */
  retry(options?: { readonly session?: string }): Promise<number[]>
  waiting(limit: number, options?: WaitingOptions): Promise<WaitingChunk[]>
  readonly tokenBits: TokenBitRows
  /**
   * Lets the new model answer, in this transaction, when no chunk waits for it and at most one in a hundred failed; with `triedAgain`, when fewer
   * failed than have a vector. Otherwise changes nothing.
   */
  swap(options?: { readonly triedAgain?: boolean }): Promise<Swap>
  /** Removes vectors of chunks that no chunk uses any more; returns how many. */
  clean(): Promise<number>
}
