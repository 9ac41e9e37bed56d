/** Answers one hook call. Opens the home as it is, at once or not at all. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { agentMemory } from '../config/agent-memory.ts'
import { keptConfig } from '../config/kept-config.ts'
import { given } from '../core/given.ts'
import { TRACE_FOLDER } from '../core/home-folder.ts'
import type { StartedWorker } from '../embed/minilm/started-worker.ts'
import { answerCall, NOTHING } from '../roles/hooks/answer-call.ts'
import { isToolEvent } from '../roles/hooks/hook-call.ts'
import { calledHook } from './called-hook.ts'
import type { HookAnswer, HookRequest } from './hook-request.ts'
import { hookServices } from './hook-services.ts'
import { type Home, openHome } from './open-home.ts'

/** Share of the budget for searching; the rest is for building the answer. */
const LOOKING = 0.6

export interface BegunRequest extends HookRequest {
  /** From `beginModel`: a thread that loads the model. */
  readonly started?: StartedWorker
}

export async function answerHook(request: BegunRequest): Promise<HookAnswer> {
  const { harness: name, event: eventName, payload, home: homeDir, workspace, agent, onBudget, started } = request
  const { harness, event } = calledHook({ harness: name, event: eventName })
  const call = harness.call(event, payload)
  const nothing = (): HookAnswer => ({ event, ...NOTHING, output: '' })
  if (call === undefined) return nothing()
  const home = await openHome(
    { ...given({ home: homeDir, workspace, agent }) },
    { asIs: true, readConfig: keptConfig, ...given({ started }) },
  )
  const budget = agentMemory(home.config, call.agent).read.budget_ms
  onBudget?.(budget)
  const looking = new AbortController()
  const timer = setTimeout(() => looking.abort(), Math.max(0, budget * LOOKING - performance.now()))
  // The process must not wait for a late model when it exits.
  if (!request.closes) looking.signal.addEventListener('abort', () => home.vectors.abandon(), { once: true })
  try {
    const words = await answerCall(call, hookServices(home), { signal: looking.signal, left: () => budget - performance.now() })
    // These events have time, and the database is open.
    if (event !== 'prompt' && !isToolEvent(event)) await takeTraces(home)
    const output = words.context === '' && words.notice === undefined ? '' : harness.answer(event, words)
    return { event, ...words, output }
  } finally {
    clearTimeout(timer)
    if (request.closes) await home.close()
  }
}

async function takeTraces(home: Home): Promise<void> {
  if (!existsSync(join(home.paths.home, TRACE_FOLDER))) return
  const { takeHookTraces } = await import('./hook-traces.ts')
  await takeHookTraces(home, { starts: true }).catch(() => undefined) // the next hook retries
}
