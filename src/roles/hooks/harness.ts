/**
 * The port of a harness that calls hooks: how its payload reads, and in which form it takes what is added to a session. A harness is a plain
 * object in a file of its own; nothing else knows its names.
 */
import type { HookCall, HookEvent } from './hook-call.ts'

/** What a harness is given. Both are empty where there is nothing to say. */
export interface HookWords {
  /** Marked as memory; for the agent. */
  readonly context: string
  /** One line for the person, where the harness shows such; otherwise it stands in the context. */
  readonly notice?: string
  /** How memory was searched, for who measures: `hybrid`, `lexical: …`. No harness is told. */
  readonly mode?: string
}

export type HookPayload = Readonly<Record<string, unknown>>

export interface HookHarness {
  /** The name of its source. */
  readonly name: string
  /** The moments that it has, by the names that it gives them. One that it lacks is absent. */
  readonly events: Readonly<Partial<Record<HookEvent, string>>>
  /** What the payload says; undefined where the call is not for us: a subagent's, or another harness's that runs the same configuration. */
  call(event: HookEvent, payload: HookPayload): HookCall | undefined
  /** Standard output, exactly; empty where this moment takes nothing. Only called with something to say. */
  answer(event: HookEvent, words: HookWords): string
}
