/**
 * opencode runs no programs as hooks: the plugin that `mnemonic install opencode` writes calls this. It adds `additionalContext` to the
 * message as a synthetic part.
 */
import { given } from '../../core/given.ts'
import type { HookHarness } from './harness.ts'
import { inContext } from './in-context.ts'
import { textOf, toolOf } from './payload-fields.ts'

export const opencode: HookHarness = {
  name: 'opencode',
  events: {
    session_start: 'session.created',
    prompt: 'chat.message',
    stop: 'session.idle',
    session_end: 'session.deleted',
    pre_compact: 'experimental.session.compacting',
    tool_failed: 'tool.execute.after',
  },
  call(event, payload) {
    if (textOf(payload, 'parentID', 'parent_id') !== undefined) return undefined
    const tool = toolOf(event, payload)
    if (tool === undefined) return undefined
    return {
      harness: 'opencode',
      event,
      ...tool,
      ...given({
        session: textOf(payload, 'sessionID', 'session_id'),
        folder: textOf(payload, 'directory', 'cwd'),
        prompt: textOf(payload, 'prompt'),
        reason: textOf(payload, 'reason', 'source'),
      }),
    }
  },
  answer(event, words) {
    return event === 'prompt' || event === 'session_start' || event === 'tool_failed'
      ? JSON.stringify({ additionalContext: inContext(words) })
      : ''
  },
}
