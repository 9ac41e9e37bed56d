import type { SentError } from '../../core/sent-error.ts'
import type { EngineName } from './engine.ts'
import type { MinilmOptions, WithTokens } from './load-minilm.ts'
import type { Gate } from './native-gate.ts'

export interface Start {
  readonly options: Omit<MinilmOptions, 'guard'>
  readonly gate: Gate
}

export type Request = { readonly texts: readonly string[]; readonly tokens?: WithTokens } | 'close'

export type Reply =
  | { readonly kind: 'ready'; readonly engine: EngineName; readonly fallback: string | undefined; readonly givesStates: boolean }
  | Vectors
  | { readonly kind: 'error'; readonly error: SentError }

/** Concatenated in transferable buffers. */
export interface Vectors {
  readonly kind: 'vectors'
  readonly values: Float32Array
  readonly counts?: readonly number[]
  readonly bits?: Uint8Array
  readonly states?: Float32Array
  readonly pieces?: readonly string[]
}
