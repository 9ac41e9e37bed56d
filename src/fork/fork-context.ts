/** A fork: the turns of earlier sessions that a next session needs, complete, cited and within a budget of tokens. */
import type { Trust } from '../core/trust.ts'

export interface ForkRequest {
  readonly query: string
  /** More phrasings of the same question. */
  readonly also?: readonly string[]
  /** Most turns, what they depend on included; when absent 10, or as many as `maxTokens` has room for (one for 250 tokens, at most 50). */
  readonly maxTurns?: number
  /** Most tokens of the whole, by the tokenizer of the model that reads it (o200k); when absent 2,500, or 250 for each of `maxTurns`. */
  readonly maxTokens?: number
  /** Only turns of this session, by any of its names. */
  readonly session?: string
  /** Whose memory; `all` only at the command line. */
  readonly agent?: string
}

export interface ForkMessage {
  /** In the ledger. */
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  /** Redacted; `[…]` stands for what was left out. */
  readonly text: string
  readonly time: string | null
  readonly trust: Trust
}

export interface ForkToolCall {
  readonly id: string
  /** The message that made it. */
  readonly message: string
  readonly tool: string
  /** JSON, or what the model typed; redacted, long values shortened. */
  readonly input: string
  /** What came back, as text; null where nothing did, or nothing of it fits. Trust `untrusted`. */
  readonly result: string | null
  readonly failed: boolean
}

export interface ForkTurn {
  readonly turn: { readonly id: string; readonly time: string | null; readonly label: string | null }
  readonly session: { readonly id: string; readonly title: string | null; readonly project: string | null; readonly harness: string }
  readonly messages: readonly ForkMessage[]
  readonly tool_calls: readonly ForkToolCall[]
  /** Found by the question, or needed by a turn that was: which, and how. */
  readonly why: string
  /** Short: `show` takes it. */
  readonly citation: string
}

/** JSON: docs/json-output.md. */
export interface ForkContext {
  readonly query: string
  /** Of the form that was asked for: of JSON that of `relevant_turns`, else of the whole text or of all that the session's model reads. */
  readonly total_tokens: number
  /** In order of time. */
  readonly relevant_turns: readonly ForkTurn[]
}

/** The context as a text to paste. */
export interface ForkText extends ForkContext {
  /** Marked as memory, so that no session that it is pasted into is stored with it. Empty where nothing was found or fits. */
  readonly text: string
}

/** How a context is printed, and so how its tokens are counted. */
export interface ForkForm {
  /** What a model reads of these turns. */
  text(query: string, turns: readonly ForkTurn[]): string
}

export type CountTokens = (text: string) => number
