/** Claude Code: every payload has session, log and folder; the prompt and the start of a session take added context. */
import { given } from '../../core/given.ts'
import { additionalContext } from './additional-context.ts'
import type { HookHarness } from './harness.ts'
import { textOf } from './payload-fields.ts'

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
    return {
      harness: 'claude-code',
      event,
      ...given({
        session: textOf(payload, 'session_id'),
        folder: textOf(payload, 'cwd'),
        log: textOf(payload, 'transcript_path'),
        prompt: textOf(payload, 'prompt'),
        reason: textOf(payload, 'source', 'trigger', 'reason'),
      }),
    }
  },
  answer(event, words) {
    return event === 'prompt' || event === 'session_start' ? additionalContext(claudeCode.events[event] ?? '', words) : ''
  },
}
