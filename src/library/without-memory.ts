/** What is called without an open memory. Each loads what it needs when it is called: nothing else of the library needs it. */
import type { HookAnswer, HookRequest } from './hook-request.ts'

/** Answers one call of a harness's hook. Throws what went wrong: keeping that from the harness is the caller's part, as in `mnemonic hook`. */
export async function answerHook(request: HookRequest): Promise<HookAnswer> {
  return (await import('./hooking.ts')).answerHook(request)
}

/** Writes the samples below `folder`, which is made: sessions, mail, meetings, an address book, and the database of Messages that is built of its statements. */
export async function copySamples(folder: string): Promise<void> {
  return (await import('./samples.ts')).copySamples(folder)
}
