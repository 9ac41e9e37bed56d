/** Drains the memory-writer's queue within its time. */
import { agentMemory } from '../config/agent-memory.ts'
import type { Config } from '../config/schema.ts'
import { asMnemonicError, MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { clearLeftRun } from '../roles/writer/agent/agent-runs.ts'
import { WORKER_LEASE } from '../roles/writer/start-worker.ts'
import { isWaiting, nameOf, queueState, retryFailed, takeTasks, tasksDone, tasksFailed, tasksStopped } from '../roles/writer/take-tasks.ts'
import { type Lease, withLease } from '../store/lease.ts'
import type { ForgetStages } from './forget.ts'
import type { JobHooks } from './options.ts'
import { type WriterParts, type WrittenSession, writeSession } from './write-session.ts'

export interface WriteOptions extends JobHooks {
  /** Default 5 minutes. */
  readonly budgetMs?: number
  /** Includes tasks that failed too often. */
  readonly retry?: boolean
}

export interface WriteReport {
  /** True if another process drains the queue. */
  readonly busy: boolean
  readonly sessions: readonly WrittenSession[]
  readonly left: number
  readonly timed_out: boolean
  readonly warnings: readonly string[]
}

const BUDGET_MS = 5 * 60_000
const ENDS_ALL: ReadonlySet<string> = new Set(['LEASE_LOST', 'INTERRUPTED'])
const LEASE_MS = 30_000

export async function runWrite(
  stages: ForgetStages,
  { budgetMs = BUDGET_MS, retry = false, signal: asked, onProgress }: WriteOptions,
  searchOf: WriterParts['searchOf'],
): Promise<WriteReport> {
  const { store, clock, config } = stages
  const began = performance.now()
  const isLate = () => performance.now() - began >= budgetMs
  // A started agent may finish late; no new one starts.
  const time = AbortSignal.timeout(budgetMs + longestRunMs(config))
  const signal = asked === undefined ? time : AbortSignal.any([asked, time])
  const sessions: WrittenSession[] = []
  const warnings: string[] = []
  const failed = new Set<string>()
  const report = async (busy: boolean): Promise<WriteReport> => ({
    ...{ busy, sessions, left: (await queueState(store)).waiting, timed_out: time.aborted || isLate(), warnings: [...new Set(warnings)] },
  })
  if (retry) await retryFailed(store, clock())
  const lease = { name: WORKER_LEASE, job: 'write', clock, ttlMs: LEASE_MS, waitMs: 0 }
  try {
    // A task queued during release starts no worker: check again.
    do
      await withLease(store, lease, (held) =>
        drain(stages, { held, sessions, warnings, failed, signal, isLate, retry, searchOf, ...given({ onProgress }) }),
      )
    while (!signal.aborted && !isLate() && (await isWaiting(store, failed)))
  } catch (error) {
    if (asked?.aborted) throw error
    if ((time.aborted || isLate()) && asMnemonicError(error).code === 'INTERRUPTED') return report(false)
    if (error instanceof MnemonicError && error.code === 'JOB_RUNNING' && error.details.lease === WORKER_LEASE) return report(true)
    throw error
  }
  return report(false)
}

function longestRunMs(config: Config): number {
  const all = Object.keys(config.agents).map((agent) => agentMemory(config, agent).write)
  return Math.max(0, ...all.map(({ mode, agent_seconds }) => (mode === 'agent' ? agent_seconds * 1000 : 0)))
}

interface Draining extends JobHooks {
  readonly held: Lease
  readonly sessions: WrittenSession[]
  readonly warnings: string[]
  /** Failed sessions are retried by the next run. */
  readonly failed: Set<string>
  readonly signal: AbortSignal
  readonly isLate: () => boolean
  readonly retry: boolean
  readonly searchOf: WriterParts['searchOf']
}

async function drain(stages: ForgetStages, draining: Draining): Promise<void> {
  const { held: lease, sessions, warnings, failed, signal, isLate, retry, searchOf, onProgress } = draining
  const { store, clock, embedding } = stages
  const mayBegin = () => {
    if (isLate())
      throw new MnemonicError('INTERRUPTED', 'the time of the writer is over', { hint: 'What is left waits for the next: mnemonic write' })
  }
  await clearLeftRun(store)
  const hooks = { signal, ...given({ onProgress }) }
  let captured = 0
  for (;;) {
    if (signal.aborted || isLate()) break
    const taken = await takeTasks(store, lease, failed)
    if (taken === undefined) break
    const who = { harness: taken.harness, session: taken.session, tasks: taken.tasks.map(({ kind }) => kind) }
    try {
      const written = await writeSession(stages, taken, hooks, { searchOf, mayBegin, retry })
      await tasksDone(store, taken, { lease, now: clock() })
      const { warnings: said, ...done } = written
      sessions.push({ ...who, ...done })
      warnings.push(...said)
      captured += done.records
    } catch (error) {
      if (signal.aborted || ENDS_ALL.has(asMnemonicError(error).code)) {
        await tasksStopped(store, taken)
        throw error
      }
      failed.add(nameOf(taken))
      const over = await tasksFailed(store, taken, error)
      const reason = asMnemonicError(error).message
      sessions.push({ ...who, session_id: null, status: over ? 'failed' : 'retry', reason, records: 0, paths: [], agent: [] })
    }
  }
  // Once for all, since loading the model is slow.
  if (captured > 0 && !signal.aborted && !isLate()) warnings.push(...(await embedding.afterSync(hooks)).warnings)
}
