/** Runs visits in bounded transactions, with pauses for other writers. */
import { setImmediate as pause } from 'node:timers/promises'
import type { OnProgress } from '../core/progress.ts'
import { throwIfStopped } from '../core/stopped.ts'
import type { Lease } from '../store/lease.ts'
import type { Store, WriteTx } from '../store/store.ts'
import type { Feed, Visited, VisitOptions } from './indexable.ts'
import { CHUNKS_PER_TRANSACTION, type Phase, visit } from './visit.ts'

const TOGETHER = 64

export interface RunOptions {
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
  readonly lease?: Lease
}

export interface Visits {
  readonly store: Store
  readonly feed: Feed
  readonly run: RunOptions
  readonly visit: VisitOptions
  readonly onVisited: (visited: Visited) => void
  readonly of?: { readonly before: number; readonly total: number }
}

/** Committed work survives a stop. */
export async function runVisits(ids: readonly string[], { store, feed, run, visit: options, onVisited, of }: Visits): Promise<void> {
  const { before, total } = of ?? { before: 0, total: ids.length }
  let done = 0
  let phase: Phase | undefined

  async function fill(tx: WriteTx): Promise<void> {
    await run.lease?.check(tx)
    for (let room = CHUNKS_PER_TRANSACTION; room > 0 && done < ids.length; ) {
      const some = ids.slice(done, done + (feed.openSome ? TOGETHER : 1))
      phase ??= visit(feed, some, options)
      const { cost, next, visited } = await phase(tx, room)
      room -= cost
      phase = next
      if (next !== undefined) continue
      for (const one of visited === undefined ? [] : [visited].flat()) onVisited(one)
      done += some.length
      run.onProgress?.({ stage: 'index', done: before + done, total })
    }
  }

  while (done < ids.length) {
    throwIfStopped(run.signal, 'indexing')
    await store.write(fill)
    await pause()
  }
}
