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
  /** Called after each step with its name. */
  readonly onStep?: (name: string) => void
  /** True where no process waits for its end: the answer takes the time it takes, and the home is closed after it. */
  readonly untimed?: boolean
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
