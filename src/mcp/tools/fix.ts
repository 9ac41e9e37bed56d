import { z } from 'zod'
import { given } from '../../core/given.ts'
import { NOTICE } from '../../core/marked-text.ts'
import { fixForAgent } from '../../library/index.ts'
import { limit, name, notice } from '../fields.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'

const input = z.strictObject({ error: name.describe('its text'), project: name.optional(), limit: limit(50) })

const output = z.looseObject({
  notice,
  matched: z.enum(['exact', 'words', 'none']),
  occurrences: z.array(z.looseObject({ id: z.string().nullable(), error: z.string(), outcome: z.string(), fix: z.string().nullable() })),
  total: z.number(),
})

export function fix({ mnemonic, answered }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'fix',
    title: 'Fix',
    description: 'What fixed this error before, in session history (agents ledger): edits and commands until the same command passed.',
    input,
    output,
    async call({ error, project, limit: most }) {
      const found = await mnemonic.fixes.find(error, given({ project, limit: most }))
      const { text, cited } = await fixForAgent(found)
      answered.remember(cited)
      return { text, document: { notice: NOTICE, ...found } }
    },
  }
}
