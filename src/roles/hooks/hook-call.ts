/** What a harness tells when it calls a hook, in one shape whichever harness it is. */

/** The moments at which harnesses call; each harness has its own names for them, and some have not all. */
export type HookEvent = 'session_start' | 'prompt' | 'stop' | 'session_end' | 'pre_compact'

export const HOOK_EVENTS: readonly HookEvent[] = ['session_start', 'prompt', 'stop', 'session_end', 'pre_compact']

export interface HookCall {
  /** The harness by the name of its source: `claude-code`, `codex`, `cursor`. */
  readonly harness: string
  readonly event: HookEvent
  /** The session by the harness's own id; absent where it tells none. */
  readonly session?: string
  /** The folder that the session works in. */
  readonly folder?: string
  /** The log of the session, where the harness names it. */
  readonly log?: string
  /** What the person typed. */
  readonly prompt?: string
  /** Why: `startup`, `resume`, `clear`, `compact` at a start; `manual`, `auto` before a compaction; the reason of an end. */
  readonly reason?: string
  /** The persona, where the harness itself knows several; otherwise the configured one. */
  readonly agent?: string
}
