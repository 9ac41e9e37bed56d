/** Facts shared by all engines. Must import nothing: every search loads it. */

export type EngineName = 'onnxruntime' | 'wasm'

export interface Engine {
  readonly name: EngineName
  readonly givesStates: boolean
  /** All sequences must have equal length, at most MAX_TOKENS including [CLS] and [SEP]. */
  run(sequences: readonly (readonly number[])[], options?: { readonly states?: boolean }): Promise<Ran[]>
  close(): Promise<void>
}

export interface Ran {
  readonly vector: Float32Array
  /** Last-layer states without [CLS] and [SEP], if requested. */
  readonly states?: Float32Array
}

/** int8 is twice as fast and a third of the size; fp32 is the reference for tests. */
export type Precision = 'int8' | 'fp32'

export const DIMENSIONS = 384
export const INPUT = 'input_ids'
export const OUTPUT = 'embedding'
export const STATES = 'states'

/** The model's trained limit, though it has 512 positions. */
export const MAX_TOKENS = 256

/** [CLS] and [SEP]. */
export const OPEN = 101
export const CLOSE = 102

export const IDENTITY = { name: 'minilm', model: 'all-MiniLM-L6-v2', dimensions: DIMENSIONS, maxTokens: MAX_TOKENS } as const
