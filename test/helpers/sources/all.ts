/** Every source for which tests can write a sample. A capture that is missing here fails the adapter contract. */
import type { SampleSource } from '../sample-source.ts'
import { aixAgentsSource } from './aix-agents.ts'
import { claudeCodeSource } from './claude-code.ts'
import { jsonlSource } from './jsonl.ts'

export const SAMPLE_SOURCES: readonly SampleSource[] = [aixAgentsSource, claudeCodeSource, jsonlSource]
