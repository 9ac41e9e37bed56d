/** The only error class. Codes are public: docs/errors.md lists them and a test pins them. */

export const ERROR_CODES = [
  'PARSE_ERROR',
  'EMBEDDING_FAILED',
  'MODEL_FAILED',
  'STORAGE_ERROR',
  'VALIDATION_ERROR',
  'NOT_THIS_FORMAT',
  'SOURCE_UNREADABLE',
  'CONFIG_INVALID',
  'DATABASE_NEWER',
  'DATABASE_OLDER',
  'NOT_A_DATABASE',
  'DATABASE_BUSY',
  'JOB_RUNNING',
  'LEASE_LOST',
  'SQL_REFUSED',
  'NOT_FOUND',
  'AMBIGUOUS_ID',
  'USAGE',
  'UNSUPPORTED_RUNTIME',
  'NOT_SUPPORTED',
  'INTERRUPTED',
  'INTERNAL',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

export interface ErrorOptions {
  /** File, line, key, value. Never message text. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly hint?: string
  /** The job can continue without this item. */
  readonly recoverable?: boolean
  readonly cause?: unknown
}

export class MnemonicError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>
  readonly hint: string | undefined
  readonly recoverable: boolean

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'MnemonicError'
    this.code = code
    this.details = options.details ?? {}
    this.hint = options.hint
    this.recoverable = options.recoverable ?? RECOVERABLE.has(code)
  }

  toJSON(): { code: ErrorCode; message: string; hint?: string; recoverable: boolean; details: object } {
    const { code, message, hint, recoverable, details } = this
    return hint === undefined ? { code, message, recoverable, details } : { code, message, hint, recoverable, details }
  }
}

/** Skip the line, chunk or file. All other codes stop the job. */
const RECOVERABLE: ReadonlySet<ErrorCode> = new Set([
  'PARSE_ERROR',
  'EMBEDDING_FAILED',
  'MODEL_FAILED',
  'VALIDATION_ERROR',
  'NOT_THIS_FORMAT',
  'SOURCE_UNREADABLE',
  'DATABASE_BUSY',
  'JOB_RUNNING',
])

export function asMnemonicError(error: unknown): MnemonicError {
  if (error instanceof MnemonicError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new MnemonicError('INTERNAL', message, { cause: error })
}
