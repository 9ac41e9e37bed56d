/** A fork: the turns of earlier sessions that a next session needs, complete, cited and within a budget of tokens. */

export interface ForkRequest {
  readonly query: string
  /** More phrasings of the same question. */
  readonly also?: readonly string[]
  /** Most turns; 10 when absent. */
  readonly maxTurns?: number
  /** Most tokens of the whole, by the tokenizer of the model that reads it (o200k). */
  readonly maxTokens?: number
  /** Only turns of this session, by any of its names. */
  readonly session?: string
}

export interface ForkTurn {
  readonly turn: { readonly id: string; readonly time: string; readonly label: string | null }
  readonly session: { readonly id: string; readonly title: string | null; readonly project: string | null; readonly harness: string }
  readonly messages: readonly {
    readonly id: string
    readonly role: string
    readonly text: string
    readonly time: string
    readonly trust: string
  }[]
  readonly tool_calls: readonly { readonly id: string; readonly tool: string; readonly input: string; readonly result: string | null }[]
  /** Found by the question, or needed by a turn that was: which, and how. */
  readonly why: string
  readonly citation: string
}

export interface ForkContext {
  readonly query: string
  readonly total_tokens: number
  /** In order of time. */
  readonly relevant_turns: readonly ForkTurn[]
}
