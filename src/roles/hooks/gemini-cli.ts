import { additionalContext, TAKES_CONTEXT } from './additional-context.ts'
import type { HookHarness } from './harness.ts'
import { commonFields, toolOf } from './payload-fields.ts'

export const geminiCli: HookHarness = {
  name: 'gemini-cli',
  events: {
    session_start: 'SessionStart',
    prompt: 'BeforeAgent',
    stop: 'AfterAgent',
    session_end: 'SessionEnd',
    pre_compact: 'PreCompress',
    tool_failed: 'AfterTool',
  },
  call(event, payload) {
    const tool = toolOf(event, payload)
    return tool === undefined ? undefined : { harness: 'gemini-cli', event, ...commonFields(payload), ...tool }
  },
  answer(event, words) {
    return TAKES_CONTEXT.has(event) ? additionalContext(geminiCli.events[event] ?? '', words) : ''
  },
}
