/** What a hook is asked and what it answers, as the library gives it. */
import type { HookEvent } from '../roles/hooks/hook-call.ts'

export interface HookRequest {
  /** The harness by the name of its source. */
  readonly harness: string
  /** The event, by our name (`prompt`) or by the harness's own (`UserPromptSubmit`). */
  readonly event: string
  /** What the harness sent. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly home?: string
  readonly workspace?: string
  readonly agent?: string
  /** Called with the configured budget in milliseconds as soon as it is known. Who sets a limit to the process does it by this. */
  readonly onBudget?: (ms: number) => void
  /** True where the process lives on: the home is closed after the answer. A process that lives for one hook ends with it. */
  readonly closes?: boolean
}

export interface HookAnswer {
  readonly event: HookEvent
  /** What the agent is given, marked as memory; empty where there is nothing. */
  readonly context: string
  /** One line for the person. */
  readonly notice?: string
  /** The same in the form that the harness takes: what the hook prints. */
  readonly output: string
}
