import { expect, it } from 'vitest'
import { z } from 'zod'
import { shortHash } from '../../../core/hash.ts'
import type { Prompt } from '../language-model.ts'
import { readingPrompt } from './reading.ts'
import { SESSION_PROMPT } from './session.ts'

/** What each version says. One that changes gets another version, or answers to the old question would count for the new one. */
const VERSIONS: Readonly<Record<string, string>> = { 'reading-1': 'cd19fed02e68', 'session-1': 'd425e072970d' }

it.each<[string, Prompt<unknown>]>([
  ['reading', readingPrompt(['person'])],
  ['session', SESSION_PROMPT],
])('%s says what its version said', (_, { version, instructions, schema }) => {
  expect({ version, hash: shortHash(12, instructions, JSON.stringify(z.toJSONSchema(schema))) }).toEqual({
    version,
    hash: VERSIONS[version],
  })
})
