/** The messages between the embedding worker and the thread that started it. */

import type { SentError } from '../../core/sent-error.ts'
import type { EngineName } from './engine.ts'
import type { MinilmOptions } from './load-minilm.ts'
import type { Gate } from './native-gate.ts'

/** What a worker starts with. */
export interface Start {
  readonly options: Omit<MinilmOptions, 'guard'>
  readonly gate: Gate
}

/** Texts to embed; or the request to end after them. */
export type Request = { readonly texts: readonly string[] } | 'close'

export type Reply =
  | { readonly kind: 'ready'; readonly engine: EngineName; readonly fallback: string | undefined }
  /** All vectors one after the other, in one buffer that changes hands without a copy. */
  | { readonly kind: 'vectors'; readonly values: Float32Array }
  | { readonly kind: 'error'; readonly error: SentError }
