/** Claude Code: every payload has session, log and folder; the prompt and the start of a session take added context. */
import { additionalContext } from './additional-context.ts'
import type { HookHarness } from './harness.ts'
import { commonFields, textOf } from './payload-fields.ts'

export const claudeCode: HookHarness = {
  name: 'claude-code',
  events: {
    session_start: 'SessionStart',
    prompt: 'UserPromptSubmit',
    stop: 'Stop',
    session_end: 'SessionEnd',
    pre_compact: 'PreCompact',
  },
  call(event, payload) {
    // `agent_id` is there only inside a subagent. Cursor runs what is in Claude Code's settings too, and has hooks of its own.
    if (textOf(payload, 'agent_id', 'cursor_version') !== undefined) return undefined
    return { harness: 'claude-code', event, ...commonFields(payload) }
  },
  answer(event, words) {
    return event === 'prompt' || event === 'session_start' ? additionalContext(claudeCode.events[event] ?? '', words) : ''
  },
}
