/** What runs the model, and what is true of it whatever runs it. Imports nothing: it is loaded for every search. */

export type EngineName = 'onnxruntime' | 'wasm'

export interface Engine {
  readonly name: EngineName
  /** It can give the states of single tokens too. */
  readonly givesStates: boolean
  /** For each sequence its vector. All have the same number of tokens, at most MAX_TOKENS with the two that frame them. */
  run(sequences: readonly (readonly number[])[], options?: { readonly states?: boolean }): Promise<Ran[]>
  close(): Promise<void>
}

export interface Ran {
  /** Of length 1. */
  readonly vector: Float32Array
  /** The last layer's states of the tokens, one after the other, without the two that frame them; where they were asked for. */
  readonly states?: Float32Array
}

/** How numbers are stored and multiplied. int8 is twice as fast and a third as large; fp32 is the reference that tests compare with. */
export type Precision = 'int8' | 'fp32'

export const DIMENSIONS = 384
/** The names of what goes into the graph and what comes out. */
export const INPUT = 'input_ids'
export const OUTPUT = 'embedding'
export const STATES = 'states'

/** Tokens of a sequence with its frame: what the model was made for, though it has positions for 512. */
export const MAX_TOKENS = 256

/** The tokens that open and close every sequence. */
export const OPEN = 101
export const CLOSE = 102

/** What does not depend on the engine. */
export const IDENTITY = { name: 'minilm', model: 'all-MiniLM-L6-v2', dimensions: DIMENSIONS, maxTokens: MAX_TOKENS } as const
