/** Loaded by the first hook that is answered: nothing else of the library needs it. */
import type { HookAnswer, HookRequest } from './hook-request.ts'

/** Answers one call of a harness's hook. Throws what went wrong: keeping that from the harness is the caller's part, as in `mnemonic hook`. */
export async function answerHook(request: HookRequest): Promise<HookAnswer> {
  return (await import('./hooking.ts')).answerHook(request)
}
