/** Sample writers. An adapter missing here fails the adapter contract. */
import type { SampleSource } from '../sample-source.ts'
import { aixAgentsSource } from './aix-agents.ts'
import { chatgptSource } from './chatgpt.ts'
import { claudeAiSource } from './claude-ai.ts'
import { claudeCodeSource } from './claude-code.ts'
import { codexSource } from './codex.ts'
import { cursorSource } from './cursor.ts'
import { geminiCliDocumentSource, geminiCliSource } from './gemini-cli.ts'
import { jsonlSource } from './jsonl.ts'
import { nexusSource } from './nexus.ts'
import { openclawSource } from './openclaw.ts'
import { opencodeSource } from './opencode.ts'
import { piSource } from './pi.ts'

export const SAMPLE_SOURCES: readonly SampleSource[] = [
  aixAgentsSource,
  chatgptSource,
  claudeAiSource,
  claudeCodeSource,
  codexSource,
  cursorSource,
  geminiCliDocumentSource,
  geminiCliSource,
  jsonlSource,
  nexusSource,
  openclawSource,
  opencodeSource,
  piSource,
]
