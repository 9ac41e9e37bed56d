/** The Embedder port: texts in, vectors out. Must not keep texts. */
import { MnemonicError } from '../core/error.ts'

export interface Embedder {
  readonly name: string
  readonly model: string
  readonly dimensions: number
  /** Window size; longer texts are split and pooled. */
  readonly maxTokens: number
  /** For people: `onnxruntime-node, 2 threads`, `https://api.openai.com/v1`. */
  readonly engine?: string
  /** For people: how to make it faster. */
  readonly advice?: string
  /**
   * Unit vectors in order. A vector must not depend on other texts of the call. All or nothing: throws EMBEDDING_FAILED (see `faultOf`).
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>
  readonly tokens?: TokenEmbedder
  close(): Promise<void>
}

/** Token data from the same model run as the vector. */
export interface TokenEmbedder {
  /** For documents. */
  signs(texts: readonly string[], options?: EmbedOptions): Promise<SignedText[]>
  /** For queries. */
  states(texts: readonly string[], options?: EmbedOptions): Promise<StatedText[]>
}

export interface SignedText {
  readonly vector: Float32Array
  /** Sign bits, whole bytes per token. Punctuation may be omitted. */
  readonly bits: Uint8Array
}

export interface StatedText {
  readonly vector: Float32Array
  /** WordPiece: `##` continues a word. */
  readonly pieces: readonly string[]
  readonly states: Float32Array
}

export interface EmbedOptions {
  readonly signal?: AbortSignal
  /** Some models distinguish them. Default: `document`. */
  readonly purpose?: 'document' | 'query'
  /** Network attempts; default 4. */
  readonly attempts?: number
}

/** `input`: other texts may still pass. `provider`: nothing passes now. `cap`: the daily spend limit is reached. */
export type Fault = 'input' | 'provider' | 'cap'

export interface FaultDetails extends Readonly<Record<string, unknown>> {
  readonly fault: Fault
  readonly retryAfterMs?: number
}

export function embeddingFailed(message: string, details: FaultDetails, more: { hint?: string; cause?: unknown } = {}): MnemonicError {
  return new MnemonicError('EMBEDDING_FAILED', message, { details, ...more })
}

export function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof MnemonicError) || error.code !== 'EMBEDDING_FAILED') return undefined
  const { fault } = error.details
  return fault === 'provider' || fault === 'cap' ? fault : 'input'
}
