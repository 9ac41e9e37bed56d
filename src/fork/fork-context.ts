import type { Trust } from '../core/trust.ts'

export interface ForkRequest {
  readonly query: string
  readonly also?: readonly string[]
  /** Maximum including dependencies. Default: 10, or one per 250 of `maxTokens`, at most 50. */
  readonly maxTurns?: number
  /** Maximum of the whole (o200k tokens). Default: 2,500, or 250 per turn of `maxTurns`. */
  readonly maxTokens?: number
  readonly session?: string
  /** `all` only on the command line. */
  readonly agent?: string
}

export interface ForkMessage {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  /** Redacted; `[…]` marks omissions. */
  readonly text: string
  readonly time: string | null
  readonly trust: Trust
}

export interface ForkToolCall {
  readonly id: string
  readonly message: string
  readonly tool: string
  /** JSON or free text; redacted and shortened. */
  readonly input: string
  /** Null if there was none or it does not fit. Always untrusted. */
  readonly result: string | null
  readonly failed: boolean
}

export interface ForkTurn {
  readonly turn: { readonly id: string; readonly time: string | null; readonly label: string | null }
  readonly session: { readonly id: string; readonly title: string | null; readonly project: string | null; readonly harness: string }
  readonly messages: readonly ForkMessage[]
  readonly tool_calls: readonly ForkToolCall[]
  readonly why: string
  readonly citation: string
}

/** JSON: docs/json-output.md. */
export interface ForkContext {
  readonly query: string
  /** Tokens of the requested form. */
  readonly total_tokens: number
  readonly relevant_turns: readonly ForkTurn[]
}

export interface ForkText extends ForkContext {
  /** Marked as memory, so that no sync stores it again. Empty if nothing was found or fits. */
  readonly text: string
}

export interface ForkForm {
  /** What the model reads; tokens are counted on it. */
  text(query: string, turns: readonly ForkTurn[]): string
}

export type CountTokens = (text: string) => number
