import type { CalledTool } from '../../core/called-tool.ts'
import type { ToolEvent } from '../../core/hook-gate.ts'

export type HookEvent = 'session_start' | 'prompt' | 'stop' | 'session_end' | 'pre_compact' | ToolEvent

/** Every harness has these; only some report tool calls. */
export const SESSION_EVENTS = ['session_start', 'prompt', 'stop', 'session_end', 'pre_compact'] as const

export const TOOL_EVENTS: readonly ToolEvent[] = ['before_tool', 'tool_failed']

export const HOOK_EVENTS: readonly HookEvent[] = [...SESSION_EVENTS, ...TOOL_EVENTS]

export function isToolEvent(event: HookEvent): event is ToolEvent {
  return TOOL_EVENTS.some((one) => one === event)
}

export interface HookedTool extends CalledTool {
  readonly output?: string
}

export interface HookCall {
  /** Source name: `claude-code`, `codex`, `cursor`. */
  readonly harness: string
  readonly event: HookEvent
  /** The harness's own id. */
  readonly session?: string
  readonly folder?: string
  readonly log?: string
  readonly prompt?: string
  /** `startup`, `resume`, `clear`, `compact` at a start; `manual`, `auto` before a compaction; else the reason of an end. */
  readonly reason?: string
  readonly tool?: HookedTool
  /** Set if the harness has personas; absent: the configured agent. */
  readonly agent?: string
}
