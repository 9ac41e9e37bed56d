import { expect, it } from 'vitest'
import { z } from 'zod'
import { shortHash } from '../../../core/hash.ts'
import type { Prompt } from '../language-model.ts'
import { conversationPrompt } from './conversation.ts'
import { memoryWriterPrompt } from './memory-writer.ts'
import { SESSION_PROMPT } from './session.ts'

/** Pins prompt texts: a change without a new version would reuse answers to the old question. */
const VERSIONS: Readonly<Record<string, string>> = {
  'conversation-1': 'aed3a9797ab0',
  'session-1': 'd425e072970d',
  'memory-writer-1': 'cc57af06eb0a',
}

it.each<[string, Prompt<unknown>]>([
  ['conversation', conversationPrompt(['person'])],
  ['session', SESSION_PROMPT],
  ['memory_writer', memoryWriterPrompt(['person'], 20_000)],
])('%s says what its version said', (_, { version, instructions, schema }) => {
  expect({ version, hash: shortHash(12, instructions, JSON.stringify(z.toJSONSchema(schema))) }).toEqual({
    version,
    hash: VERSIONS[version],
  })
})
