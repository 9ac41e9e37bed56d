/** The messages between the embedding worker and the thread that started it. */

import { type ErrorCode, MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
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

/** An error loses its class on the way between threads; this keeps what makes it ours. */
export interface SentError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly hint: string | undefined
  readonly recoverable: boolean
}

export function sentError(error: unknown): SentError {
  if (error instanceof MnemonicError) {
    const { code, message, details, hint, recoverable } = error
    return { code, message, details, hint, recoverable }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'EMBEDDING_FAILED', message, details: {}, hint: undefined, recoverable: true }
}

export function receivedError({ code, message, details, hint, recoverable }: SentError): MnemonicError {
  return new MnemonicError(code, message, { details, recoverable, ...given({ hint }) })
}
