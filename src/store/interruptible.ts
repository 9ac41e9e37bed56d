/** A store for one piece of work that can be stopped: a write that waits for another process ends its waiting at once. */
import { asMnemonicError, MnemonicError } from '../core/error.ts'
import type { Store } from './store.ts'

/** The same store, whose writes throw INTERRUPTED when they would have to wait after `signal`. A write that need not wait is still done. */
export function interruptible(store: Store, signal: AbortSignal | undefined): Store {
  if (signal === undefined) return store
  const write: Store['write'] = (work, wait = {}) => store.write(work, { signal, ...wait })
  return Object.create(store, { write: { value: write, enumerable: true } }) as Store
}

/** The error that ends a wait after `signal`. */
export function stoppedWaiting(signal: AbortSignal): MnemonicError {
  const reason = asMnemonicError(signal.reason)
  if (reason.code === 'INTERRUPTED') return reason
  return new MnemonicError('INTERRUPTED', 'stopped while waiting for another process', { cause: signal.reason })
}
