import { z } from 'zod'
import { NOTICE } from '../../core/marked-text.ts'
import { howForAgent } from '../../library/index.ts'
import { name, notice } from '../fields.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'

const input = z.strictObject({ what: name.describe('tests, lint, release, mise …'), project: name.optional() })

const form = z.looseObject({ command: z.string(), folder: z.string(), failed: z.number(), last: z.string() })

const output = z.looseObject({
  notice,
  passed: z.array(form),
  failed: z.array(form),
  tasks: z.array(z.looseObject({ command: z.string(), runs: z.string() })),
})

export function how({ mnemonic, answered, folder }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'how',
    title: 'How',
    description:
      'How something is run in this project: command forms that passed in session history (agents ledger), and what failing ones lacked.',
    input,
    output,
    async call({ what, project }) {
      const found = await mnemonic.fixes.how(what, { project: project ?? (await folder()) })
      const { text, cited } = await howForAgent(found)
      answered.remember(cited)
      return { text, document: { notice: NOTICE, ...found } }
    },
  }
}
