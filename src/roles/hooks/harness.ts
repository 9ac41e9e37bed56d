/** Port of a harness that calls hooks. Nothing else knows the harness's names. */
import type { HookCall, HookEvent } from './hook-call.ts'

export interface HookWords {
  readonly context: string
  /** One line for the person; goes into the context if the harness shows no such line. */
  readonly notice?: string
  /** Search mode for measurements: `hybrid`, `lexical: …`. Not sent to the harness. */
  readonly mode?: string
}

export type HookPayload = Readonly<Record<string, unknown>>

export interface HookHarness {
  readonly name: string
  readonly events: Readonly<Partial<Record<HookEvent, string>>>
  /** Undefined if the call is not for us: a subagent's, or another harness's that runs the same configuration. */
  call(event: HookEvent, payload: HookPayload): HookCall | undefined
  /** Exact standard output; empty if the event takes none. Called only with something to say. */
  answer(event: HookEvent, words: HookWords): string
}
