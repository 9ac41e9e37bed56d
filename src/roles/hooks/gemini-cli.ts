/** Gemini CLI: the prompt is `BeforeAgent`, the end of a turn `AfterAgent`, a compaction `PreCompress`. */
import { additionalContext } from './additional-context.ts'
import type { HookHarness } from './harness.ts'
import { commonFields } from './payload-fields.ts'

export const geminiCli: HookHarness = {
  name: 'gemini-cli',
  events: {
    session_start: 'SessionStart',
    prompt: 'BeforeAgent',
    stop: 'AfterAgent',
    session_end: 'SessionEnd',
    pre_compact: 'PreCompress',
  },
  call(event, payload) {
    return { harness: 'gemini-cli', event, ...commonFields(payload) }
  },
  answer(event, words) {
    return event === 'prompt' || event === 'session_start' ? additionalContext(geminiCli.events[event] ?? '', words) : ''
  },
}
