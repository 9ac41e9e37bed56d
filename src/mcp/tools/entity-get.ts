import { z } from 'zod'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { NOTICE } from '../../core/marked-text.ts'
import { entityForAgent, type ProjectCardAnswer, projectForAgent } from '../../library/index.ts'
import { name, notice, text, time } from '../fields.ts'
import { TOOL_HINTS } from '../hints.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'

const BUDGET = 800

const input = z.strictObject({
  name: name.describe('name, address or id'),
  type: text('person, project (its card; name . for this one) …'),
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
  card: z.looseObject({ sections: z.array(z.looseObject({ title: z.string() })) }).optional(),
})

export function entityGet({ mnemonic, answered, folder }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'entity_get',
    title: 'Entity',
    description:
      'What session history (agents ledger) and messages say of a person, project or thing: what holds, held, is claimed; cited.',
    input,
    output,
    async call({ name: called, type, as_of: asOf }) {
      const ofCard = async (card: ProjectCardAnswer) => {
        const { text: read, cited } = await projectForAgent(card)
        answered.remember(cited)
        return { text: read, document: { notice: NOTICE, ...entityOf(card), card } }
      }
      if ((type === 'project' || called === '.') && asOf === undefined) {
        const card = await cardOf(mnemonic, called === '.' ? await folder() : called)
        if (card !== undefined) return ofCard(card)
      }
      const shown = await unlessUnknown(mnemonic.entities.show(called, given({ type, asOf })))
      if (asOf === undefined && (shown instanceof MnemonicError || (shown.entity.type === 'project' && shown.current.length === 0))) {
        const card = await cardOf(mnemonic, shown instanceof MnemonicError ? called : shown.entity.name)
        if (card !== undefined) return ofCard(card)
      }
      if (shown instanceof MnemonicError) throw shown
      const { text: read, cited } = await entityForAgent(shown, { budget: BUDGET, hints: TOOL_HINTS })
      answered.remember(cited)
      return { text: read, document: { notice: NOTICE, ...shown } }
    },
  }
}

async function unlessUnknown<T>(answer: Promise<T>): Promise<T | MnemonicError> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof MnemonicError && error.code === 'NOT_FOUND') return error
    throw error
  }
}

async function cardOf(mnemonic: Served['mnemonic'], name: string): Promise<ProjectCardAnswer | undefined> {
  try {
    return await mnemonic.projects.card(name)
  } catch (error) {
    if (error instanceof MnemonicError && (error.code === 'USAGE' || error.code === 'NOT_FOUND')) return undefined
    throw error
  }
}

function entityOf({ project: { key, name } }: ProjectCardAnswer) {
  const nothing = { current: [], former: [], uncertain: [], aliases: [], episodes: [] }
  return { entity: { id: key, type: 'project', name, trust: 'agent' }, as_of: null, ...nothing }
}
