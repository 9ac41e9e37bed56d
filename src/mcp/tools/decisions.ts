import { z } from 'zod'
import { given } from '../../core/given.ts'
import { NOTICE } from '../../core/marked-text.ts'
import { decisionsForAgent } from '../../library/index.ts'
import { limit, notice, text, time } from '../fields.ts'
import { TOOL_HINTS } from '../hints.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'

/** About 800 tokens. */
const LIMIT = 10

const input = z.strictObject({
  subject: text('newest of all without it'),
  project: text('name or path'),
  as_of: text('what held then'),
  preferences: z.boolean().describe('what the owner prefers instead').optional(),
  limit: limit(100),
})

const decision = z.looseObject({
  id: z.string(),
  cite: z.string().nullable(),
  status: z.enum(['holds', 'superseded']),
  decided_at: time,
  words: z.string(),
  trust: z.string(),
})

const output = z.looseObject({
  notice,
  lines: z.array(z.looseObject({ holds: z.array(decision), before: z.array(decision), related: z.array(z.string()) })),
  total: z.int(),
  terms: z.array(z.string()),
  as_of: time.nullable(),
})

export function decisions({ mnemonic, answered, personal }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'decisions',
    title: 'Decisions',
    description: 'What was decided in session history (agents ledger) and messages: what holds, and what it replaced.',
    input,
    output,
    async call({ as_of: asOf, limit: most = LIMIT, ...asked }) {
      const found = await mnemonic.decisions({ ...asked, limit: most, personal: await personal(), ...given({ asOf }) })
      const { text: read, cited } = await decisionsForAgent(found, { hints: TOOL_HINTS })
      answered.remember(cited)
      return { text: read, document: { notice: NOTICE, ...found } }
    },
  }
}
