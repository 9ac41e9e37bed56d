/** Drives visits to sessions through transactions of a bounded size, with a pause for others between them. */

import { setImmediate as pause } from 'node:timers/promises'
import type { OnProgress } from '../core/progress.ts'
import { throwIfStopped } from '../core/stopped.ts'
import type { Lease } from '../store/lease.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { CHUNKS_PER_TRANSACTION, type CurrentTx, type Visit, type Visited, type VisitOptions, visitSession } from './visit-session.ts'

export interface RunOptions {
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
  /** Checked in each transaction. */
  readonly lease?: Lease
}

/** Visits sessions in order. What is committed stays, also when the run is stopped; a later run goes on from there. */
export async function runVisits(
  store: Store,
  sessionIds: readonly string[],
  { visit, run, onVisited }: { visit: VisitOptions; run: RunOptions; onVisited: (visited: Visited) => void },
): Promise<void> {
  let next = 0
  let open: Visit | undefined
  let current: CurrentTx | undefined

  async function fill(tx: WriteTx): Promise<boolean> {
    await run.lease?.check(tx)
    current ??= { tx, room: 0 }
    Object.assign(current, { tx, room: CHUNKS_PER_TRANSACTION })
    while (current.room > 0) {
      const id = sessionIds[next]
      if (open === undefined && id === undefined) return false
      open ??= visitSession(current, id as string, visit)
      const step = await open.next()
      current.room -= step.done ? 1 : step.value
      if (!step.done) continue
      if (step.value) onVisited(step.value)
      open = undefined
      next++
      run.onProgress?.({ stage: 'index', done: next, total: sessionIds.length })
    }
    return true
  }

  for (let more = sessionIds.length > 0; more; ) {
    throwIfStopped(run.signal, 'indexing')
    more = await store.write(fill)
    await pause()
  }
}
