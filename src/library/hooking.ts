/** Answers one call of a hook over a home that is opened for it: as it is, at once or not at all. */
import { agentMemory } from '../config/agent-memory.ts'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { answerCall, NOTHING } from '../roles/hooks/answer-call.ts'
import type { HookHarness } from '../roles/hooks/harness.ts'
import { HOOK_HARNESSES, hookEvent, hookHarness } from '../roles/hooks/harnesses.ts'
import type { HookEvent } from '../roles/hooks/hook-call.ts'
import type { HookAnswer, HookRequest } from './hook-request.ts'
import { hookServices } from './hook-services.ts'
import { openHome } from './open-home.ts'

/** The part of the budget after which an answer is made of what there is: the rest is for making it. */
const LOOKING = 0.6

export async function answerHook(request: HookRequest): Promise<HookAnswer> {
  const { harness: name, event: eventName, payload, home: homeDir, workspace, agent, onBudget, started } = request
  const { harness, event } = calledHook({ harness: name, event: eventName })
  const call = harness.call(event, payload)
  const nothing = (): HookAnswer => ({ event, ...NOTHING, output: '' })
  if (call === undefined) return nothing()
  const home = await openHome({ ...given({ home: homeDir, workspace, agent }) }, { asIs: true, ...given({ started }) })
  const budget = agentMemory(home.config, call.agent).read.budget_ms
  onBudget?.(budget)
  const looking = new AbortController()
  const timer = setTimeout(() => looking.abort(), Math.max(0, budget * LOOKING - performance.now()))
  // A process must not wait at its end for a model that comes too late.
  if (!request.closes) looking.signal.addEventListener('abort', () => home.vectors.abandon(), { once: true })
  try {
    const words = await answerCall(call, hookServices(home), { signal: looking.signal, left: () => budget - performance.now() })
    const output = words.context === '' && words.notice === undefined ? '' : harness.answer(event, words)
    return { event, ...words, output }
  } finally {
    clearTimeout(timer)
    if (request.closes) await home.close()
  }
}

/** The harness and its event, by either name. */
export function calledHook({ harness: name, event: eventName }: Pick<HookRequest, 'harness' | 'event'>): {
  readonly harness: HookHarness
  readonly event: HookEvent
} {
  const harness = hookHarness(name)
  if (harness === undefined) throw unknown(`hooks of ${name} are not known`, HOOK_HARNESSES.map((one) => one.name).join(', '))
  const event = hookEvent(harness, eventName)
  if (event === undefined) throw unknown(`${name} has no hook ${eventName}`, Object.values(harness.events).join(', '))
  return { harness, event }
}

function unknown(what: string, known: string): MnemonicError {
  return new MnemonicError('USAGE', what, { hint: `Known: ${known}.` })
}
