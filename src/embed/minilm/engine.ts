/** What runs the model, and what is true of it whatever runs it. Imports nothing: it is loaded for every search. */

export type EngineName = 'onnxruntime' | 'wasm'

export interface Engine {
  readonly name: EngineName
  /** One vector of length 1 for each sequence. All have the same number of tokens, at most MAX_TOKENS with the two that frame them. */
  run(sequences: readonly (readonly number[])[]): Promise<Float32Array[]>
  close(): Promise<void>
}

/** How numbers are stored and multiplied. int8 is twice as fast and a third as large; fp32 is the reference that tests compare with. */
export type Precision = 'int8' | 'fp32'

export const DIMENSIONS = 384
/** The names of what goes into the graph and what comes out. */
export const INPUT = 'input_ids'
export const OUTPUT = 'embedding'

/** Tokens of a sequence with its frame: what the model was made for, though it has positions for 512. */
export const MAX_TOKENS = 256

/** The tokens that open and close every sequence. */
export const OPEN = 101
export const CLOSE = 102

/** What does not depend on the engine. */
export const IDENTITY = { name: 'minilm', model: 'all-MiniLM-L6-v2', dimensions: DIMENSIONS, maxTokens: MAX_TOKENS } as const
