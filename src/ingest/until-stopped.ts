/** Stops waiting for a third-party adapter when the sync is stopped. */
import { throwIfStopped } from '../core/stopped.ts'
import type { Adapter } from './adapter.ts'

/** Built-in adapters bypass this: they end by themselves and yield millions of items. */
export function untilStopped<T>(
  { isOwners }: Pick<Adapter, 'isOwners'>,
  items: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncIterable<T> {
  return isOwners ? raced(items, signal) : items
}

async function* raced<T>(items: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T, void, undefined> {
  const from = items[Symbol.asyncIterator]()
  let wake: () => void = () => undefined
  const stopped = new Promise<undefined>((resolve) => {
    wake = () => resolve(undefined)
  })
  signal?.addEventListener('abort', wake, { once: true })
  let waits = false
  try {
    for (;;) {
      waits = true
      const next = await Promise.race([from.next(), stopped])
      if (next === undefined) return throwIfStopped(signal, 'sync')
      waits = false
      if (next.done === true) return
      yield next.value
    }
  } finally {
    signal?.removeEventListener('abort', wake)
    // A pending adapter may never finish: do not await it.
    if (!waits) await from.return?.()
    else void from.return?.().catch(() => undefined)
  }
}
