import { setTimeout as sleep } from 'node:timers/promises'
import { throwIfStopped } from '../../core/stopped.ts'
import type { Failure } from './failure.ts'

export interface Patience {
  /** First pause; doubles with each attempt. */
  readonly pauseMs: number
  /** If the provider asks for more, gives up until a later run. */
  readonly longestPauseMs: number
  readonly timeoutMs: number
  readonly random: () => number
}

export const PATIENCE: Patience = { pauseMs: 500, longestPauseMs: 60_000, timeoutMs: 60_000, random: Math.random }

export interface Tries {
  readonly attempts: number
  readonly patience: Patience
  readonly signal: AbortSignal | undefined
  readonly what: string
}

export async function tryAgain<T>(
  call: () => Promise<T | { readonly failure: Failure }>,
  { attempts, patience, signal, what }: Tries,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    throwIfStopped(signal, what)
    const result = await call()
    if (!isFailure(result)) return result
    const { error, retryable, retryAfterMs = 0 } = result.failure
    if (!retryable || attempt >= attempts || retryAfterMs > patience.longestPauseMs) throw error
    const grown = Math.min(patience.pauseMs * 2 ** (attempt - 1), patience.longestPauseMs)
    const pause = Math.max(retryAfterMs, grown * (0.5 + patience.random() / 2))
    await sleep(pause, undefined, signal === undefined ? {} : { signal }).catch(() => throwIfStopped(signal, what))
  }
}

function isFailure(result: unknown): result is { readonly failure: Failure } {
  return typeof result === 'object' && result !== null && 'failure' in result
}
