/** What runs the model. */

export type EngineName = 'onnxruntime' | 'wasm'

export interface Engine {
  readonly name: EngineName
  /** One vector of length 1 for each sequence. All have the same number of tokens, at most MAX_TOKENS with the two that frame them. */
  run(sequences: readonly (readonly number[])[]): Promise<Float32Array[]>
  close(): Promise<void>
}

/** Tokens of a sequence with its frame: what the model was made for, though it has positions for 512. */
export const MAX_TOKENS = 256

/** The tokens that open and close every sequence. */
export const OPEN = 101
export const CLOSE = 102
