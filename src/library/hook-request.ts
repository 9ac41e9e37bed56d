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
  /** How memory was searched: `hybrid`, `lexical: the model was late` … */
  readonly mode?: string
  /** The same in the form that the harness takes: what the hook prints. */
  readonly output: string
}

export interface HookTestRequest {
  readonly harness: string
  /** By our name or by the harness's own. */
  readonly event: string
  readonly prompt?: string
  readonly folder?: string
  readonly reason?: string
  /** Of tool calls: the tool as the harness names it, its command or file, and what a failed call printed. */
  readonly tool?: string
  readonly command?: string
  readonly file?: string
  readonly output?: string
  readonly agent?: string
}

export interface HookTest {
  readonly harness: string
  readonly event: HookEvent
  /** Why the gate stops it before anything is loaded; null where it lets it through. */
  readonly gate: string | null
  readonly context: string
  readonly notice: string | null
  /** What the hook would print. */
  readonly output: string
  /** What would be left for the writer. */
  readonly tasks: readonly string[]
  readonly steps: readonly { readonly name: string; readonly ms: number }[]
  readonly total_ms: number
  readonly budget_ms: number
}
