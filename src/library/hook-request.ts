import type { HookEvent } from '../roles/hooks/hook-call.ts'

export interface HookRequest {
  readonly harness: string
  /** Our name (`prompt`) or the harness's own (`UserPromptSubmit`). */
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly home?: string
  readonly workspace?: string
  readonly agent?: string
  /** Called with the configured budget in milliseconds, as soon as known. */
  readonly onBudget?: (ms: number) => void
  /** Closes the home after the answer. A process for one hook need not. */
  readonly closes?: boolean
}

export interface HookAnswer {
  readonly event: HookEvent
  readonly context: string
  readonly notice?: string
  readonly mode?: string
  readonly output: string
}

export interface HookTestRequest {
  readonly harness: string
  readonly event: string
  readonly prompt?: string
  readonly folder?: string
  readonly reason?: string
  /** For tool calls: the harness's tool name, its command or file, and the output of a failed call. */
  readonly tool?: string
  readonly command?: string
  readonly file?: string
  readonly output?: string
  readonly agent?: string
}

export interface HookTest {
  readonly harness: string
  readonly event: HookEvent
  readonly gate: string | null
  readonly context: string
  readonly notice: string | null
  readonly output: string
  readonly tasks: readonly string[]
  readonly steps: readonly { readonly name: string; readonly ms: number }[]
  readonly total_ms: number
  readonly budget_ms: number
}
