/** Port of one raw model call. Retries, limits and caching are the caller's. */
import type { z } from 'zod'
import type { Failure, Target } from '../../embed/remote/failure.ts'
import type { Tokens } from '../../store/spend.ts'
import type { ReadWindow } from './language-model.ts'

export interface Call {
  readonly instructions: string
  readonly text: string
  readonly schema: z.ZodType
  readonly longestAnswer: number
  readonly window?: ReadWindow | undefined
}

export interface Said {
  readonly text: string
  readonly usage: Tokens | undefined
}

export interface Driver extends Target {
  /** Returns the answer or the failure, with usage if known. Throws only INTERRUPTED. A failure must not quote the prompt. */
  call(
    call: Call,
    options: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number },
  ): Promise<Said | { readonly failure: Failure; readonly usage?: Tokens }>
}
