/** A row is deleted with its vector or model. */
import type { WaitingChunk } from './waiting-chunk.ts'

/** `kept`: stored or queued for every such vector. `none`: the model runtime provides none. `off`: disabled by the owner. */
export type TokenBitsState = 'kept' | 'none' | 'off'

export interface TokenBitsCoverage {
  readonly state: TokenBitsState | undefined
  readonly done: number
  readonly waiting: number
  readonly bytes: number
}

export interface WaitingForBits extends WaitingChunk {
  readonly number: number
  readonly hash: string
}

export interface TokenBits {
  any(): Promise<boolean>
  /** `dimensions / 8` bytes per token. Chunks without bits are absent. */
  of(chunkIds: readonly number[], dimensions: number): Promise<Map<number, Uint8Array>>
  coverage(): Promise<TokenBitsCoverage>
  /** Newest first. */
  waiting(limit: number): Promise<WaitingForBits[]>
}

export interface TokenBitRows {
  /** `kept` queues every vector without bits; `off` deletes all. */
  keep(state: TokenBitsState): Promise<void>
  /** Ignores vectors that are not queued. Throws EMBEDDING_FAILED for partial tokens. */
  set(number: number, bits: Uint8Array): Promise<boolean>
  leaveOut(number: number): Promise<void>
  /** Deletes bits of unused vectors. Deletes nothing while chunks wait: they may reuse one. */
  clean(): Promise<void>
}
