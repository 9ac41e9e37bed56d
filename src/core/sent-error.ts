/** Errors lose their class between threads; this keeps their fields. */
import { type ErrorCode, MnemonicError } from './error.ts'
import { given } from './given.ts'

export interface SentError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly hint: string | undefined
  readonly recoverable: boolean
}

/** `otherwise`: code for other errors. */
export function sentError(error: unknown, otherwise: MnemonicError['code']): SentError {
  const { code, message, details, hint, recoverable } =
    error instanceof MnemonicError ? error : new MnemonicError(otherwise, error instanceof Error ? error.message : String(error))
  return { code, message, details, hint, recoverable }
}

export function receivedError({ code, message, details, hint, recoverable }: SentError): MnemonicError {
  return new MnemonicError(code, message, { details, recoverable, ...given({ hint }) })
}
