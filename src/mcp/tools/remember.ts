/** `remember`: what an agent would have kept. A proposal: it is among no rules of the owner until they confirm it. */
import { z } from 'zod'
import { escapeMarks, NOTICE } from '../../core/marked-text.ts'
import { printable } from '../../core/text.ts'
import type { Coming } from '../coming.ts'
import { name, notice, text } from '../fields.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'

const LONGEST = 2000

const input = z.strictObject({
  text: name.refine((said) => said.length <= LONGEST, `must have at most ${LONGEST} characters`).describe('one sentence'),
  about: text('person, project or thing'),
})

const output = z.looseObject({ notice, id: z.string(), text: z.string(), status: z.string() })

export function remember(_: Served, keep: Coming['remember']): Tool<z.infer<typeof input>> {
  return {
    name: 'remember',
    title: 'Remember',
    description: 'Proposes a fact or preference to keep beside session history (agents ledger). The owner confirms it.',
    input,
    output,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async call(request) {
      const kept = await keep({ ...request, trust: 'agent' })
      const id = escapeMarks(printable(kept.id))
      return {
        text: `Proposed as ${id}. The owner confirms it: mnemonic remember --confirm ${id}`,
        document: { notice: NOTICE, ...kept },
      }
    },
  }
}
