/** Lets others have the event loop while a long scan runs. */
import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 5

/** Call it often: it waits only when five milliseconds have passed since the last wait. */
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
