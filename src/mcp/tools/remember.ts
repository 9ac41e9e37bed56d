/** `remember`: stores a proposal of an agent. It becomes an owner's rule only after confirmation. */
import { z } from 'zod'
import { given } from '../../core/given.ts'
import { escapeMarks, NOTICE } from '../../core/marked-text.ts'
import { printable } from '../../core/text.ts'
import { name, notice, text } from '../fields.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'

const LONGEST = 2000
const LONGEST_NAME = 100

const input = z.strictObject({
  text: name.refine((said) => said.length <= LONGEST, `must have at most ${LONGEST} characters`).describe('one sentence'),
  about: text('person, project or thing'),
  project: text('only for this one'),
  corrects: text('id of what it puts right'),
})

const output = z.looseObject({
  notice,
  remembered: z.looseObject({ id: z.string(), text: z.string(), status: z.string() }),
  is_new: z.boolean(),
})

export function remember({ server, mnemonic }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'remember',
    title: 'Remember',
    description: 'Proposes a fact, preference or correction to keep beside session history (agents ledger). The owner confirms it.',
    input,
    output,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async call(request) {
      const from = server.server.getClientVersion()?.name.slice(0, LONGEST_NAME)
      const kept = await mnemonic.remember({ ...request, by: 'agent', ...given({ from }) })
      const { id, status } = kept.remembered
      const stands = status === 'holds' || status === 'confirmed'
      return {
        text: stands ? `The owner has confirmed it already: ${safe(id)}` : proposed(safe(id)),
        document: { notice: NOTICE, ...kept },
      }
    },
  }
}

function proposed(id: string): string {
  return `Proposed as ${id}; it counts for nothing until the owner confirms it: mnemonic remember --confirm ${id}`
}

function safe(id: string): string {
  return escapeMarks(printable(id))
}
