/** How every long job stops when its signal is raised. */
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
