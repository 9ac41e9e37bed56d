/** Where work on a project stopped: docs/json-output.md. */

export interface LeftOffAnswer {
  readonly project: string | null
  readonly branch: string | null
  readonly time: { readonly from: string; readonly to: string; readonly days: string; readonly sessions: number } | null
  /** Work stopped in the first; the others only show their subject. */
  readonly sessions: readonly LeftOffSession[]
  readonly state: LeftOffState | null
  readonly timezone: string
  readonly tokens: number
  readonly text: string
}

export interface LeftOffSession {
  readonly id: string
  readonly session_id: string
  readonly harness: string
  readonly title: string | null
  readonly branch: string | null
  readonly folder: string | null
  readonly last_message_at: string
}

export interface LeftOffState {
  /** Newest first: prompts with what the agent reported, commits, pull requests. */
  readonly done: readonly DoneLine[]
  readonly next: readonly string[]
  readonly question: string | null
  /** A prompt without an answer, a call without a result, or a plan without approval. */
  readonly interrupted: string | null
  readonly failing: { readonly command: string; readonly line: string | null } | null
  /** `git`: the working tree now. `calls`: files changed by tool calls after the last commit seen. */
  readonly uncommitted: { readonly by: 'git' | 'calls'; readonly count: number; readonly files: readonly string[] }
  /** The last turn: the id for `show`, then the full id. */
  readonly turn: string | null
  readonly turn_id: string | null
}

export interface DoneLine {
  readonly asked: string | null
  readonly told: string | null
  /** From a tool call: `committed “…”`, `opened #12 “…”`. */
  readonly deed: string | null
}
