/** Codex: payloads and answers as those of Claude Code. */
import { given } from '../../core/given.ts'
import { additionalContext } from './additional-context.ts'
import type { HookHarness } from './harness.ts'
import { textOf } from './payload-fields.ts'

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
    return {
      harness: 'codex',
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
    return event === 'prompt' || event === 'session_start' ? additionalContext(codex.events[event] ?? '', words) : ''
  },
}
