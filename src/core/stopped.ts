import { setImmediate as pause } from 'node:timers/promises'
import { MnemonicError } from './error.ts'

/** Throws the signal's reason, else INTERRUPTED. */
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

/** For loops that never wait: our database is synchronous, so signals and timers need a pause. Pauses now and then, not at each call. */
export async function pauseToStop(signal: AbortSignal | undefined, what: string, hint?: string): Promise<void> {
  if (performance.now() - paused >= EVERY_MS) {
    await pause()
    paused = performance.now()
  }
  throwIfStopped(signal, what, hint)
}
