/** What a harness tells when it calls a hook, in one shape whichever harness it is. */
import type { CalledTool } from '../../core/called-tool.ts'
import type { ToolEvent } from '../../core/hook-gate.ts'

/** The moments at which harnesses call; each harness has its own names for them, and some have not all. */
export type HookEvent = 'session_start' | 'prompt' | 'stop' | 'session_end' | 'pre_compact' | ToolEvent

/** Every harness has these; tool calls are told by some only. */
export const SESSION_EVENTS = ['session_start', 'prompt', 'stop', 'session_end', 'pre_compact'] as const

export const TOOL_EVENTS: readonly ToolEvent[] = ['before_tool', 'tool_failed']

export const HOOK_EVENTS: readonly HookEvent[] = [...SESSION_EVENTS, ...TOOL_EVENTS]

export function isToolEvent(event: HookEvent): event is ToolEvent {
  return TOOL_EVENTS.some((one) => one === event)
}

/** A tool call that is about to run, or that failed. */
export interface HookedTool extends CalledTool {
  /** What a failed call printed or answered. */
  readonly output?: string
}

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
  /** Of the events of tool calls. */
  readonly tool?: HookedTool
  /** The persona, where the harness itself knows several; otherwise the configured one. */
  readonly agent?: string
}
