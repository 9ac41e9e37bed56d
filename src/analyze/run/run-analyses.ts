/**
 * Runs analyses on all waiting episodes, newest first. Processes may run concurrently: each claims runs, and commits findings with the
 * run's state. Resumes after a kill.
 */
import { setImmediate as pause } from 'node:timers/promises'
import { asMnemonicError } from '../../core/error.ts'
import { throwIfStopped } from '../../core/stopped.ts'
import type { Store } from '../../store/store.ts'
import type { EpisodeToRead } from './load-episodes.ts'
import { runHolder } from './run-holder.ts'
import type { Planned, RunOptions } from './run-options.ts'
import { type RunSome, runSome } from './run-some.ts'
import { RULES, waitingEpisodes } from './waiting.ts'

export interface TypeReport {
  readonly type: string
  readonly implementation: string
  readonly completed: number
  readonly failed: number
  readonly fallbacks: number
  readonly facets: number
}

export interface RunsReport {
  readonly types: readonly TypeReport[]
  readonly stopped?: string
}

/** Rule runs are claimed and written in batches. Model runs are written singly; a few per job are claimed. */
const AT_ONCE = 64
const CLAIMED_FOR_EACH = 4

export async function runAnalyses(store: Store, planned: readonly Planned[], options: RunOptions): Promise<RunsReport> {
  const { signal, onProgress, limit = Number.POSITIVE_INFINITY, clock } = options
  const holder = runHolder()
  const reports = planned.map(({ type, analyzer }) => ({
    ...{ type: type.name, implementation: analyzer.implementation, completed: 0, failed: 0, fallbacks: 0, facets: 0 },
  }))
  const queues = planned.map((one) => queueOf(store, one, options, clock()))
  let left = limit
  let done = 0
  for (;;) {
    // Rules never await, so without a pause signals and timers would starve.
    await pause()
    throwIfStopped(signal, 'analyze')
    const at = await newest(queues)
    if (at === undefined || left <= 0) return { types: reports }
    const [plan, queue, report] = [planned[at] as Planned, queues[at] as Queue, reports[at] as (typeof reports)[number]]
    const jobs = plan.analyzer.implementation === RULES ? 1 : (options.jobs ?? 1)
    const most = plan.analyzer.implementation === RULES ? AT_ONCE : jobs * CLAIMED_FOR_EACH
    const some = queue.take(Math.min(most, left))
    const work: RunSome = { ...plan, ...options, holder, jobs }
    const result = await runSome(store, some, work)
    left -= result.completed + result.failed
    done += some.length
    report.completed += result.completed
    report.failed += result.failed
    report.fallbacks += result.fallbacks
    report.facets += result.facets
    if (result.stopped !== undefined) throwIfStopped(signal, 'analyze')
    if (result.stopped !== undefined) return { types: reports, stopped: asMnemonicError(result.stopped).message }
    onProgress?.({ stage: 'analyze', done: Math.min(done, options.total ?? done), total: options.total ?? done, type: plan.type.name })
  }
}

interface Queue {
  next(): Promise<number | undefined>
  take(most: number): EpisodeToRead[]
}

function queueOf(store: Store, { type, analyzer }: Planned, options: RunOptions, now: number): Queue {
  const pages = waitingEpisodes(store.read, { type, analyzer, now, ...options })
  let page: EpisodeToRead[] = []
  return {
    async next() {
      if (page.length === 0) page = (await pages.next()).value ?? []
      return page[0]?.start_time
    },
    take: (most) => page.splice(0, most),
  }
}

async function newest(queues: readonly Queue[]): Promise<number | undefined> {
  let best: { at: number; time: number } | undefined
  for (const [at, queue] of queues.entries()) {
    const time = await queue.next()
    if (time !== undefined && (best === undefined || time > best.time)) best = { at, time }
  }
  return best?.at
}
