/** The Embedder port: texts in, vectors out. An embedder knows no chunk, no store and no search; it never keeps a text. */
import { MnemonicError } from '../core/error.ts'

export interface Embedder {
  /** Who computes: `minilm`, `openai`, `ollama` … */
  readonly name: string
  readonly model: string
  readonly dimensions: number
  /** Tokens of one window; longer texts are split by the embedder and pooled. */
  readonly maxTokens: number
  /** What runs the model, for people: `onnxruntime-node, 2 threads`, `https://api.openai.com/v1`. */
  readonly engine?: string
  /** What would make it faster, for people; absent where it is as fast as it gets here. */
  readonly advice?: string
  /**
   * One vector of length 1 for each text, in the order of the texts. The same text gives the same vector, whatever other texts are in the call.
   * All or nothing: when any text has no vector it throws EMBEDDING_FAILED (see `faultOf`).
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>
  /** What it can say of single tokens; absent where it cannot. */
  readonly tokens?: TokenEmbedder
  close(): Promise<void>
}

/** Vectors as `embed` gives them and, of the same run of the model, what the tokens of each text have: no text is run twice. */
export interface TokenEmbedder {
  /** The signs of the tokens' states, for texts that are searched. */
  signs(texts: readonly string[], options?: EmbedOptions): Promise<SignedText[]>
  /** The states themselves, for questions. */
  states(texts: readonly string[], options?: EmbedOptions): Promise<StatedText[]>
}

export interface SignedText {
  readonly vector: Float32Array
  /** A bit a dimension, set where the number is above zero; one token after the other, each whole bytes. Marks may be left out. */
  readonly bits: Uint8Array
}

export interface StatedText {
  readonly vector: Float32Array
  /** The tokens as the vocabulary spells them: `##` goes on with a word. */
  readonly pieces: readonly string[]
  /** As many numbers a token as a vector has, one token after the other. */
  readonly states: Float32Array
}

export interface EmbedOptions {
  readonly signal?: AbortSignal
  /** Whether the text is searched or searches: some models distinguish the two. `document` when absent. */
  readonly purpose?: 'document' | 'query'
  /** How often a call over the network is tried before it counts as failed; 4 when absent. */
  readonly attempts?: number
}

/**
 * Why embedding failed. `input`: perhaps only because of one of the texts, so others may pass. `provider`: nothing passes now.
 * `cap`: today's limit on spend is reached.
 */
export type Fault = 'input' | 'provider' | 'cap'

export interface FaultDetails extends Readonly<Record<string, unknown>> {
  readonly fault: Fault
  /** The provider said when to try again. */
  readonly retryAfterMs?: number
}

export function embeddingFailed(message: string, details: FaultDetails, more: { hint?: string; cause?: unknown } = {}): MnemonicError {
  return new MnemonicError('EMBEDDING_FAILED', message, { details, ...more })
}

/** The fault of an error that an embedder threw; undefined when it is no failure of embedding. */
export function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof MnemonicError) || error.code !== 'EMBEDDING_FAILED') return undefined
  const { fault } = error.details
  return fault === 'provider' || fault === 'cap' ? fault : 'input'
}
