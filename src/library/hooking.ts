/** Answers one call of a hook over a home that is opened for it: as it is, at once or not at all. */
import { agentMemory } from '../config/agent-memory.ts'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { answerCall, NOTHING } from '../roles/hooks/answer-call.ts'
import { HOOK_HARNESSES, hookEvent, hookHarness } from '../roles/hooks/harnesses.ts'
import type { HookAnswer, HookRequest } from './hook-request.ts'
import { hookServices } from './hook-services.ts'
import { openHome } from './open-home.ts'

/** The part of the budget after which an answer is made of what there is: the rest is for making it. */
const LOOKING = 0.6

export async function answerHook(request: HookRequest): Promise<HookAnswer> {
  const { harness: name, event: eventName, payload, home: homeDir, workspace, agent, onBudget, onStep } = request
  const harness = hookHarness(name)
  if (harness === undefined) throw unknown(`hooks of ${name} are not known`, HOOK_HARNESSES.map((one) => one.name).join(', '))
  const event = hookEvent(harness, eventName)
  if (event === undefined) throw unknown(`${name} has no hook ${eventName}`, Object.values(harness.events).join(', '))
  const call = harness.call(event, payload)
  const nothing = (): HookAnswer => ({ event, ...NOTHING, output: '' })
  if (call === undefined) return nothing()
  const home = await openHome({ ...given({ home: homeDir, workspace, agent }) }, { asIs: true })
  onStep?.('configuration')
  const budget = agentMemory(home.config, call.agent).read.budget_ms
  onBudget?.(budget)
  const looking = new AbortController()
  const timer = setTimeout(() => looking.abort(), Math.max(0, budget * LOOKING - performance.now()))
  try {
    const words = await answerCall(call, hookServices(home, onStep), request.untimed ? undefined : looking.signal)
    const output = words.context === '' && words.notice === undefined ? '' : harness.answer(event, words)
    return { event, ...words, output }
  } finally {
    clearTimeout(timer)
    // A process that lives for one hook ends with it; there is nothing to wait for.
    if (request.untimed) await home.close()
  }
}

function unknown(what: string, known: string): MnemonicError {
  return new MnemonicError('USAGE', what, { hint: `Known: ${known}.` })
}
