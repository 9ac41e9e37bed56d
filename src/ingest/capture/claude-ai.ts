/** Claude.ai's data export: the zip file, `conversations.json` from it, or a file with one conversation. Reads, never writes. */
import type { Adapter } from '../adapter.ts'
import { claudeAiFormat } from './claude-ai/format.ts'
import { type ExportOptions, exportAdapter } from './export-archive/export-adapter.ts'

export function claudeAi(options: ExportOptions = {}): Adapter {
  return exportAdapter('claude-ai', claudeAiFormat, options)
}
