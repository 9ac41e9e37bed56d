import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 5

/** Cheap to call often: yields at most every five milliseconds. */
export type Pause = () => Promise<void> | undefined

export function pauses(): Pause {
  let since = performance.now()
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}
