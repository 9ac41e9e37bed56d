/** Claude.ai's data export: the zip file, its `conversations.json`, or one conversation. */
import type { Adapter } from '../adapter.ts'
import { convertConversation } from './claude-ai/conversation.ts'
import { type ExportOptions, exportAdapter } from './export-archive/export-adapter.ts'
import type { ExportFormat } from './export-archive/export-format.ts'

const claudeAiFormat: ExportFormat = {
  service: 'Claude.ai',
  version: 1,
  // A long summary may push `chat_messages` out of the scanned head.
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

export function claudeAi(options: ExportOptions = {}): Adapter {
  return exportAdapter('claude-ai', claudeAiFormat, options)
}
