/** The plugin that `mnemonic install openclaw` writes calls this and puts `additionalContext` before the prompt. */
import { given } from '../../core/given.ts'
import type { HookHarness } from './harness.ts'
import { inContext } from './in-context.ts'
import { objectOf, textOf } from './payload-fields.ts'

export const openclaw: HookHarness = {
  name: 'openclaw',
  events: {
    session_start: 'session_start',
    prompt: 'before_prompt_build',
    stop: 'agent_end',
    session_end: 'session_end',
    pre_compact: 'before_compaction',
  },
  call(event, payload) {
    // The plugin sends fields of the event, with those of its context beside or below.
    const all = { ...objectOf(payload, 'ctx'), ...objectOf(payload, 'context'), ...objectOf(payload, 'event'), ...payload }
    if (/(?:^|:)(?:subagent|cron|hook):/.test(textOf(all, 'sessionKey', 'session_key') ?? '')) return undefined
    return {
      harness: 'openclaw',
      event,
      ...given({
        session: textOf(all, 'sessionId', 'session_id'),
        folder: textOf(all, 'workspaceDir', 'cwd'),
        log: textOf(all, 'sessionFile', 'transcript_path'),
        prompt: textOf(all, 'prompt'),
        reason: textOf(all, 'reason'),
        agent: textOf(all, 'agentId'),
      }),
    }
  },
  answer(event, words) {
    return event === 'prompt' || event === 'session_start' ? JSON.stringify({ additionalContext: inContext(words) }) : ''
  },
}
