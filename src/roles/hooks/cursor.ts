/** The session is the conversation, the folder the first workspace root. Cursor shows no notice to the person. */
import { given } from '../../core/given.ts'
import type { HookHarness } from './harness.ts'
import { inContext } from './in-context.ts'
import { firstOf, textOf, toolOf } from './payload-fields.ts'

export const cursor: HookHarness = {
  name: 'cursor',
  events: {
    session_start: 'sessionStart',
    prompt: 'beforeSubmitPrompt',
    stop: 'stop',
    session_end: 'sessionEnd',
    pre_compact: 'preCompact',
    tool_failed: 'postToolUse',
  },
  call(event, payload) {
    if (textOf(payload, 'parent_conversation_id', 'subagent_id') !== undefined) return undefined
    const tool = toolOf(event, payload)
    if (tool === undefined) return undefined
    return {
      harness: 'cursor',
      event,
      ...tool,
      ...given({
        session: textOf(payload, 'conversation_id', 'session_id'),
        folder: firstOf(payload, 'workspace_roots') ?? textOf(payload, 'cwd'),
        log: textOf(payload, 'transcript_path'),
        prompt: textOf(payload, 'prompt'),
        reason: textOf(payload, 'trigger', 'reason', 'status'),
      }),
    }
  },
  answer(event, words) {
    const additional_context = inContext(words)
    if (event === 'session_start' || event === 'tool_failed') return JSON.stringify({ additional_context })
    // Without `continue`, the prompt would wait forever.
    return event === 'prompt' ? JSON.stringify({ continue: true, additional_context }) : ''
  },
}
