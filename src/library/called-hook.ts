import { MnemonicError } from '../core/error.ts'
import type { HookHarness } from '../roles/hooks/harness.ts'
import { HOOK_HARNESSES, hookEvent, hookHarness } from '../roles/hooks/harnesses.ts'
import type { HookEvent } from '../roles/hooks/hook-call.ts'
import type { HookRequest } from './hook-request.ts'

/** Throws USAGE for an unknown harness or event. */
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
