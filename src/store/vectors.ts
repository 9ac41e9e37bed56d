/** Never compares vectors of two models. */
import type { ChunkFilter } from './lexical.ts'
import type { TokenBitRows, TokenBits } from './token-bits.ts'
import type { WaitingChunk } from './waiting-chunk.ts'

/** Vectors are comparable only if all of these are equal. */
export interface EmbeddingIdentity {
  readonly model: string
  readonly dimensions: number
  /** How windows of a long text become one vector, versioned. */
  readonly pooling?: string
  readonly tokenizer?: string
  /** Version of the context lines prepended to a text. */
  readonly context?: string
}

export interface VectorConfig extends EmbeddingIdentity {
  /** Hash of model, dimensions, pooling and tokenizer. */
  readonly id: string
}

export interface ActiveVectors extends VectorConfig {
  readonly next?: VectorConfig
}

export interface VectorCounts {
  readonly embedded: number
  readonly waiting: number
  readonly failed: number
}

export interface VectorCoverage extends VectorCounts {
  readonly next?: VectorCounts
}

export interface VectorFilter extends ChunkFilter {
  readonly role?: 'user' | 'assistant'
}

export interface VectorHit {
  readonly chunkId: number
  /** Cosine, -1 to 1. */
  readonly similarity: number
}

export interface WaitingOptions {
  readonly newestFirst?: boolean
  readonly session?: string
}

export interface Vectors {
  active(): Promise<ActiveVectors | undefined>
  coverage(): Promise<VectorCoverage>
  /**
   * Best first by exact cosine, ties by chunk id. Filters apply before the limit. Approximate among many chunks (docs/vectors.md). Empty
   * without an active model. Throws EMBEDDING_FAILED for an invalid query vector.
   */
  nearest(query: Float32Array, filter: VectorFilter, limit: number): Promise<VectorHit[]>
  /** Omits chunks without a vector. Throws as `nearest` does. */
  similarities(query: Float32Array, chunkIds: readonly number[]): Promise<Map<number, number>>
  /** Throws as `nearest` does. */
  similarEntities(query: Float32Array, ids: readonly string[]): Promise<Map<string, number>>
  /** Chunks not yet seen by the model of the last `useConfig`. */
  waiting(limit: number, options?: WaitingOptions): Promise<WaitingChunk[]>
  readonly tokenBits: TokenBits
  memory(): number
}

export interface NewVector {
  /** One vector exists per text and model. */
  readonly contentHash: string
  readonly ownerId: string
  readonly agentId: string
  readonly vector: Float32Array
}

export interface Swap extends VectorCounts {
  readonly swapped: boolean
}

/** All methods concern the model of the last `useConfig`. */
export interface VectorRows {
  /**
   * Sets the model to embed with. If another is active, it answers until `swap`, and `shadow` is true. Choosing the active model again
   * discards the shadow.
   */
  useConfig(identity: EmbeddingIdentity & { readonly name?: string }): Promise<VectorConfig & { readonly shadow: boolean }>
  using(): Promise<VectorConfig>
  ofEntities(ids: readonly string[]): Promise<Map<string, Float32Array>>
  known(contentHashes: readonly string[]): Promise<Map<string, number>>
  /** Normalizes and upserts. Throws EMBEDDING_FAILED for wrong dimensions, zeros or non-numbers. */
  add(vector: NewVector): Promise<number>
  /** Returns false and writes nothing if the chunk is gone or its stamp differs (ids are reused). */
  assign(chunkId: number, number: number, stamp?: string): Promise<boolean>
  fail(chunkId: number): Promise<void>
  retry(options?: { readonly session?: string }): Promise<number[]>
  waiting(limit: number, options?: WaitingOptions): Promise<WaitingChunk[]>
  readonly tokenBits: TokenBitRows
  /** Activates the new model if no chunk waits and at most 1 % failed. With `triedAgain`, fewer failures than vectors suffice. */
  swap(options?: { readonly triedAgain?: boolean }): Promise<Swap>
  clean(): Promise<number>
}
