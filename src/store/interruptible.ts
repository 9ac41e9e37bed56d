import { asMnemonicError, MnemonicError } from '../core/error.ts'
import type { Store } from './store.ts'

/** Writes that would wait after `signal` throw INTERRUPTED; a write that need not wait still runs. */
export function interruptible(store: Store, signal: AbortSignal | undefined): Store {
  if (signal === undefined) return store
  const write: Store['write'] = (work, wait = {}) => store.write(work, { signal, ...wait })
  return Object.create(store, { write: { value: write, enumerable: true } }) as Store
}

export function stoppedWaiting(signal: AbortSignal): MnemonicError {
  const reason = asMnemonicError(signal.reason)
  if (reason.code === 'INTERRUPTED') return reason
  return new MnemonicError('INTERRUPTED', 'stopped while waiting for another process', { cause: signal.reason })
}
