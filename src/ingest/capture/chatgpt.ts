/** ChatGPT's data export: the zip file, or `conversations.json` (also in numbered parts) from it. Reads, never writes. */
import type { Adapter } from '../adapter.ts'
import { chatgptFormat } from './chatgpt/format.ts'
import { type ExportOptions, exportAdapter } from './export-archive/export-adapter.ts'

export function chatgpt(options: ExportOptions = {}): Adapter {
  return exportAdapter('chatgpt', chatgptFormat, options)
}
