/** Claude Code: every payload has session, log and folder; the prompt and the start of a session take added context. */
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
    // `agent_id` is there only inside a subagent. Cursor runs what is in Claude Code's settings too, and has hooks of its own.
    if (textOf(payload, 'agent_id', 'cursor_version') !== undefined) return undefined
    const tool = toolOf(event, payload)
    return tool === undefined ? undefined : { harness: 'claude-code', event, ...commonFields(payload), ...tool }
  },
  answer(event, words) {
    return TAKES_CONTEXT.has(event) ? additionalContext(claudeCode.events[event] ?? '', words) : ''
  },
}
