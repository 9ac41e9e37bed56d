/** `entity_get`: what is known of a person, a project or a thing. */
import { z } from 'zod'
import { given } from '../../core/given.ts'
import { NOTICE } from '../../core/marked-text.ts'
import { entityForAgent } from '../../library/index.ts'
import { name, notice, text, time } from '../fields.ts'
import { TOOL_HINTS } from '../hints.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'

const BUDGET = 800

const input = z.strictObject({
  name: name.describe('name, address or id'),
  type: text('person, project …'),
  as_of: text('what held then'),
})

const statement = z.looseObject({
  type: z.string(),
  literal: z.string().nullable(),
  since: time.nullable(),
  until: time.nullable(),
  observations: z.array(z.looseObject({ message_id: z.string(), said_at: time, trust: z.string() })),
})

const output = z.looseObject({
  notice,
  entity: z.looseObject({ id: z.string(), type: z.string(), name: z.string(), trust: z.string() }),
  as_of: time.nullable(),
  current: z.array(statement).describe('What holds.'),
  former: z.array(statement).describe('What held before.'),
  uncertain: z.array(statement).describe('What is only claimed.'),
  aliases: z.array(z.looseObject({ type: z.string(), value: z.string() })),
  episodes: z.array(z.looseObject({ episode_id: z.string(), start: time })),
})

export function entityGet({ mnemonic, answered }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'entity_get',
    title: 'Entity',
    description:
      'What session history (agents ledger) and messages say of a person, project or thing: what holds, held, is claimed; cited.',
    input,
    output,
    async call({ name: called, type, as_of: asOf }) {
      const shown = await mnemonic.entities.show(called, given({ type, asOf }))
      const { text: read, cited } = await entityForAgent(shown, { budget: BUDGET, hints: TOOL_HINTS })
      answered.remember(cited)
      return { text: read, document: { notice: NOTICE, ...shown } }
    },
  }
}
