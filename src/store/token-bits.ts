/**
 * The signs of the states of single tokens: beside the vectors of what was said in agents' sessions, and of nothing else. A row goes with its
 * vector, and with the model that made it.
 */
import type { WaitingChunk } from './waiting-chunk.ts'

/** `kept`: each such vector has them, or waits for them. `none`: what runs the model gives none. `off`: the owner wants none. */
export type TokenBitsState = 'kept' | 'none' | 'off'

export interface TokenBitsCoverage {
  /** Undefined before the first run of embedding. */
  readonly state: TokenBitsState | undefined
  /** Vectors that have them. */
  readonly done: number
  readonly waiting: number
  /** Of those that are there. */
  readonly bytes: number
}

/** A chunk whose vector waits for them. */
export interface WaitingForBits extends WaitingChunk {
  /** Of its vector. */
  readonly number: number
  /** Of the text that its vector was made of. */
  readonly hash: string
}

export interface TokenBits {
  /** There are some. */
  any(): Promise<boolean>
  /** Those of these chunks, as far as they have any, for a model of so many dimensions: whole tokens of `dimensions / 8` bytes each. */
  of(chunkIds: readonly number[], dimensions: number): Promise<Map<number, Uint8Array>>
  coverage(): Promise<TokenBitsCoverage>
  /** The newest first. */
  waiting(limit: number): Promise<WaitingForBits[]>
}

/** What a write transaction does with them, by the model of the last `useConfig`. */
export interface TokenBitRows {
  /** From now on. `kept` lets every vector wait that has none, `off` removes all. */
  keep(state: TokenBitsState): Promise<void>
  /** Those of a vector that waits for them; of others, nothing is written. Throws EMBEDDING_FAILED where they are not of whole tokens. */
  set(number: number, bits: Uint8Array): Promise<boolean>
  /** This vector waits no longer. */
  leaveOut(number: number): Promise<void>
  /** Removes those of vectors that no chunk has now. While a chunk waits for its vector nothing is removed: it may be one of these. */
  clean(): Promise<void>
}
