import { additionalContext, TAKES_CONTEXT } from './additional-context.ts'
import type { HookHarness } from './harness.ts'
import { commonFields, textOf, toolOf } from './payload-fields.ts'

export const codex: HookHarness = {
  name: 'codex',
  events: {
    session_start: 'SessionStart',
    prompt: 'UserPromptSubmit',
    stop: 'Stop',
    session_end: 'SessionEnd',
    pre_compact: 'PreCompact',
    before_tool: 'PreToolUse',
    tool_failed: 'PostToolUse',
  },
  call(event, payload) {
    if (textOf(payload, 'agent_id') !== undefined) return undefined
    const tool = toolOf(event, payload)
    return tool === undefined ? undefined : { harness: 'codex', event, ...commonFields(payload), ...tool }
  },
  answer(event, words) {
    return TAKES_CONTEXT.has(event) ? additionalContext(codex.events[event] ?? '', words) : ''
  },
}
