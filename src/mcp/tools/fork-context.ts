import { z } from 'zod'
import { given } from '../../core/given.ts'
import { NOTICE } from '../../core/marked-text.ts'
import { limit, notice, short, some, text } from '../fields.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'

const TOKENS = 4000

const input = z.strictObject({
  query: short.describe('the task'),
  also: some(short, 8).describe('other phrasings').optional(),
  session: text('only of this one'),
  max_turns: limit(50),
  max_tokens: z.int().min(100).max(100_000).describe('4000').optional(),
})

const output = z.looseObject({
  notice,
  query: z.string(),
  total_tokens: z.int(),
  relevant_turns: z.array(
    z.looseObject({
      turn: z.looseObject({ id: z.string() }),
      session: z.looseObject({ id: z.string() }),
      messages: z.array(z.looseObject({ role: z.string(), text: z.string(), trust: z.string() })),
      tool_calls: z.array(z.looseObject({ tool: z.string() })),
      why: z.string(),
      citation: z.string(),
    }),
  ),
})

export function forkContext({ answered, mnemonic }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'fork_context',
    title: 'Fork context',
    description:
      'Gives whole turns of session history (agents ledger) that a task goes on from, with what they depend on and without what was superseded, within max_tokens.',
    input,
    output,
    async call({ query, also, session, max_turns: maxTurns, max_tokens: maxTokens = TOKENS }) {
      const { text: read, ...found } = await mnemonic.forkText({
        ...given({ query, also, maxTurns, maxTokens }),
        ...given({ session: session === undefined ? undefined : answered.named(session).name }),
      })
      answered.remember(found.relevant_turns.map(({ citation }) => citation))
      return { text: read === '' ? 'no turns' : read, document: { notice: NOTICE, ...found } }
    },
  }
}
