import { additionalContext, TAKES_CONTEXT } from './additional-context.ts'
import type { HookHarness } from './harness.ts'
import { commonFields, textOf, toolOf } from './payload-fields.ts'

export const claudeCode: HookHarness = {
  name: 'claude-code',
  events: {
    session_start: 'SessionStart',
    prompt: 'UserPromptSubmit',
    stop: 'Stop',
    session_end: 'SessionEnd',
    pre_compact: 'PreCompact',
    before_tool: 'PreToolUse',
    tool_failed: 'PostToolUseFailure',
  },
  call(event, payload) {
    // `agent_id` exists only in subagents. Cursor also runs Claude Code's settings, and has its own hooks.
    if (textOf(payload, 'agent_id', 'cursor_version') !== undefined) return undefined
    const tool = toolOf(event, payload)
    return tool === undefined ? undefined : { harness: 'claude-code', event, ...commonFields(payload), ...tool }
  },
  answer(event, words) {
    return TAKES_CONTEXT.has(event) ? additionalContext(claudeCode.events[event] ?? '', words) : ''
  },
}
