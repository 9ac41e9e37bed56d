/** The port of what reaches a model: one call, as it is. Tries, limits and memory are with who calls it. */
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
  /** What the model said; JSON is expected. */
  readonly text: string
  /** As the provider counts; absent where it does not say. */
  readonly usage: Tokens | undefined
}

export interface Driver extends Target {
  /** Gives what was said, or how it failed, with what that took where it is known; throws nothing but INTERRUPTED. A failure never repeats what was sent. */
  call(
    call: Call,
    options: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number },
  ): Promise<Said | { readonly failure: Failure; readonly usage?: Tokens }>
}
