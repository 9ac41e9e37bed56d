/** ChatGPT's data export: the zip file, or `conversations.json` (possibly in numbered parts). */
import type { Adapter } from '../adapter.ts'
import { convertConversation } from './chatgpt/conversation.ts'
import { type ExportOptions, exportAdapter } from './export-archive/export-adapter.ts'
import type { ExportFormat } from './export-archive/export-format.ts'

/** A conversation has at least one of these besides its tree. */
const BESIDE = ['create_time', 'update_time', 'current_node', 'conversation_id', 'title']

const chatgptFormat: ExportFormat = {
  service: 'ChatGPT',
  version: 1,
  isConversation: (keys) => keys.get('mapping') === '{' && BESIDE.some((key) => keys.has(key)),
  otherPart(keys) {
    if (keys.has('chatgpt_plus_user') && keys.has('email')) return 'the account'
    if (keys.has('conversation_id') && keys.has('rating')) return 'ratings of answers'
    if (keys.has('conversation_id') && keys.has('is_anonymous')) return 'a list of shared conversations'
    return undefined
  },
  isArchiveName: (name) => /-\d{4}(?:-\d\d){5}-[0-9a-f]{16,}\.zip$/i.test(name),
  convert: convertConversation,
}

export function chatgpt(options: ExportOptions = {}): Adapter {
  return exportAdapter('chatgpt', chatgptFormat, options)
}
