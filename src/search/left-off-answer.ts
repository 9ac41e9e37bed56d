/** Where the work on a project was left, as every door gives it: docs/json-output.md. */

export interface LeftOffAnswer {
  /** Null where no project is meant, or none is known. */
  readonly project: string | null
  readonly branch: string | null
  /** The time that was asked for. */
  readonly time: { readonly from: string; readonly to: string; readonly days: string; readonly sessions: number } | null
  /** The first is where the work was left; of the others only what they were about. */
  readonly sessions: readonly LeftOffSession[]
  readonly state: LeftOffState | null
  /** In which the text gives times. */
  readonly timezone: string
  readonly tokens: number
  /** Marked as memory, ready for an agent; empty where no session is known. */
  readonly text: string
}

export interface LeftOffSession {
  /** Short, as a person types it. */
  readonly id: string
  readonly session_id: string
  readonly harness: string
  readonly title: string | null
  readonly branch: string | null
  readonly folder: string | null
  readonly last_message_at: string
}

export interface LeftOffState {
  /** What came of it, the last first: what was asked in a turn, and what the agent reported; commits and pull requests. */
  readonly done: readonly DoneLine[]
  /** What was said to be still to do, by the agent's last answer or on its list. */
  readonly next: readonly string[]
  /** What the agent asked last, and nobody answered. */
  readonly question: string | null
  /** Where the session broke off: a prompt without an answer, a call without a result, or a plan that was not approved. */
  readonly interrupted: string | null
  /** The last check that ran, where it failed. */
  readonly failing: { readonly command: string; readonly line: string | null } | null
  /** `git`: as the working tree stands now. `calls`: changed by tool calls after the last commit that one of them shows. */
  readonly uncommitted: { readonly by: 'git' | 'calls'; readonly count: number; readonly files: readonly string[] }
  /** The last turn, as `show` takes it, and by its whole id. */
  readonly turn: string | null
  readonly turn_id: string | null
}

export interface DoneLine {
  readonly asked: string | null
  readonly told: string | null
  /** `committed “…”`, `opened #12 “…”`: said by a tool call. */
  readonly deed: string | null
}
