import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MnemonicError } from '../core/error.ts'
import { TRACE_FOLDER } from '../core/home-folder.ts'
import { dropTrace, type HookTrace, waitingTraces } from '../core/hook-traces.ts'
import type { Home } from './open-home.ts'

const MOST = 50

export interface TakeOptions {
  /** Starts the worker. False if the caller works on the queue itself. */
  readonly starts?: boolean
  /** Includes traces that a running hook may be about to queue: for forgetting. */
  readonly all?: boolean
}

/** Returns their number. Idempotent, also while their hook runs: the queue has one row per session and kind. */
export async function takeHookTraces(home: Home, { starts = false, all = false }: TakeOptions = {}): Promise<number> {
  if (!existsSync(join(home.paths.home, TRACE_FOLDER)) || !existsSync(home.paths.database)) return 0
  const waiting = waitingTraces(home.paths.home, Date.now(), all ? 0 : undefined).slice(0, all ? undefined : MOST)
  if (waiting.length === 0) return 0
  const { hookServices } = await import('./hook-services.ts')
  const services = hookServices(home)
  for (const { path, trace } of waiting) {
    if (trace !== undefined) await queued(trace, { ...services, startWorker: async () => undefined })
    dropTrace(path)
  }
  if (starts) await services.startWorker()
  return waiting.length
}

async function queued(
  { harness: name, event: eventName, agent, payload }: HookTrace,
  services: Parameters<typeof answer>[1],
): Promise<void> {
  const { calledHook } = await import('./called-hook.ts')
  try {
    const { harness, event } = calledHook({ harness: name, event: eventName })
    const call = event === 'prompt' || event === 'session_start' ? undefined : harness.call(event, payload)
    if (call !== undefined) await answer(agent === undefined ? call : { agent, ...call }, services)
  } catch (error) {
    // Unknown harness or event: drop the trace.
    if (!(error instanceof MnemonicError) || error.code !== 'USAGE') throw error
  }
}

const answer = async (...given: Parameters<typeof import('../roles/hooks/answer-call.ts').answerCall>) =>
  (await import('../roles/hooks/answer-call.ts')).answerCall(...given)
