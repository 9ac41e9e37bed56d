/** The messages between the embedding worker and the thread that started it. */

import type { SentError } from '../../core/sent-error.ts'
import type { EngineName } from './engine.ts'
import type { MinilmOptions, WithTokens } from './load-minilm.ts'
import type { Gate } from './native-gate.ts'

/** What a worker starts with. */
export interface Start {
  readonly options: Omit<MinilmOptions, 'guard'>
  readonly gate: Gate
}

/** Texts to embed, and what is wanted of their tokens beside; or the request to end after them. */
export type Request = { readonly texts: readonly string[]; readonly tokens?: WithTokens } | 'close'

export type Reply =
  | { readonly kind: 'ready'; readonly engine: EngineName; readonly fallback: string | undefined; readonly givesStates: boolean }
  | Vectors
  | { readonly kind: 'error'; readonly error: SentError }

/** All of one kind one after the other, in one buffer that changes hands without a copy. */
export interface Vectors {
  readonly kind: 'vectors'
  readonly values: Float32Array
  /** How many tokens each text has, where any of the following was asked for. */
  readonly counts?: readonly number[]
  readonly bits?: Uint8Array
  readonly states?: Float32Array
  readonly pieces?: readonly string[]
}
