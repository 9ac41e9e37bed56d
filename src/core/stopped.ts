/** How every long job stops when its signal is raised. */
import { setImmediate as pause } from 'node:timers/promises'
import { MnemonicError } from './error.ts'

/** Throws INTERRUPTED once the signal was raised: the reason that came with it, otherwise an error that `what` was stopped. */
export function throwIfStopped(
  signal: AbortSignal | undefined,
  what: string,
  hint = 'What is done stays done. Run it again to go on.',
): void {
  if (signal?.aborted !== true) return
  if (signal.reason instanceof MnemonicError) throw signal.reason
  throw new MnemonicError('INTERRUPTED', `${what} was stopped`, { hint, cause: signal.reason })
}

const EVERY_MS = 50
let paused = 0

/**
 * The same for a loop that waits for nothing: our database answers at once, so that without a pause neither a signal of the system nor a timer
 * is heard until the loop ends. Pauses now and then, not at each call.
 */
export async function pauseToStop(signal: AbortSignal | undefined, what: string, hint?: string): Promise<void> {
  if (performance.now() - paused >= EVERY_MS) {
    await pause()
    paused = performance.now()
  }
  throwIfStopped(signal, what, hint)
}
