/** Codex: payloads and answers as those of Claude Code. */
import { additionalContext } from './additional-context.ts'
import type { HookHarness } from './harness.ts'
import { commonFields, textOf } from './payload-fields.ts'

export const codex: HookHarness = {
  name: 'codex',
  events: {
    session_start: 'SessionStart',
    prompt: 'UserPromptSubmit',
    stop: 'Stop',
    session_end: 'SessionEnd',
    pre_compact: 'PreCompact',
  },
  call(event, payload) {
    if (textOf(payload, 'agent_id') !== undefined) return undefined
    return { harness: 'codex', event, ...commonFields(payload) }
  },
  answer(event, words) {
    return event === 'prompt' || event === 'session_start' ? additionalContext(codex.events[event] ?? '', words) : ''
  },
}
