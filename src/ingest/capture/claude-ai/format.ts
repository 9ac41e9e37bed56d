/** What Claude.ai's exports look like from outside: how a conversation begins, and what else lies beside the conversations. */
import type { ExportFormat } from '../export-archive/export-format.ts'
import { convertConversation } from './conversation.ts'

export const claudeAiFormat: ExportFormat = {
  service: 'Claude.ai',
  version: 1,
  // A summary may be so long that nothing behind it is seen.
  isConversation: (keys) => keys.get('chat_messages') === '[' || [...keys.keys()].join() === 'uuid,name,summary',
  otherPart(keys) {
    if (!keys.has('uuid') && !keys.has('account_uuid')) return undefined
    if (keys.has('full_name') && keys.has('email_address')) return 'the account'
    if (keys.has('conversations_memory') || keys.has('project_memories')) return "Claude's own memory"
    if (keys.has('prompt_template') || keys.has('is_starter_project')) return 'projects'
    return undefined
  },
  isArchiveName: (name) => /^data-[\d-]+.*-batch-\d+\.zip$/i.test(name),
  convert: convertConversation,
}
