/** `forget`: previews what would be forgotten, with the command for a person. Deletes nothing. */
import { z } from 'zod'
import { MnemonicError } from '../../core/error.ts'
import { escapeMarks } from '../../core/marked-text.ts'
import { printable } from '../../core/text.ts'
import { forgetPlanForAgent } from '../../library/index.ts'
import { name, short, text } from '../fields.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'

const WAYS = ['session', 'turn', 'entity', 'match', 'before'] as const

const input = z.strictObject({
  session: name.optional(),
  turn: name.optional(),
  entity: name.optional(),
  match: short.describe('every record with this text').optional(),
  before: text('a day'),
})

const output = z.looseObject({
  dry_run: z.literal(true),
  selector: z.string(),
  would_remove: z.record(z.string(), z.int()),
  sessions: z.array(z.string()),
  records: z.array(z.looseObject({ kind: z.string(), title: z.string().nullable(), timestamp: z.string().nullable(), text: z.string() })),
  command: z.string().describe('What a person runs; it asks before it removes anything.'),
})

export function forget({ mnemonic, answered }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'forget',
    title: 'Plan to forget',
    description:
      'Shows what forgetting a part of session history (agents ledger) and messages would remove, and the command for the owner to run. Removes nothing. One of:',
    input,
    output,
    async call(request, signal) {
      const [way, ...more] = WAYS.filter((key) => request[key] !== undefined)
      if (way === undefined || more.length > 0)
        throw new MnemonicError('USAGE', 'say what to forget, in one way', { hint: `Give one of ${WAYS.join(', ')}.` })
      const asked = request[way] ?? ''
      const value = way === 'session' || way === 'turn' ? answered.named(asked).name : asked
      if (printable(value) !== value || /[\r\n]/.test(value))
        throw new MnemonicError('USAGE', `${way} has characters that no command line shows`, { hint: 'Give a shorter part of it.' })
      const plan = await mnemonic.planForget({ [way]: value, of: mnemonic.agent, signal })
      const command = escapeMarks(`mnemonic forget --${way} ${quoted(value)}${agentFlag(mnemonic.agent)}`)
      return { text: await forgetPlanForAgent(plan, command), document: { ...plan, command } }
    },
  }
}

function agentFlag(agent: string): string {
  return agent === 'main' ? '' : ` --agent ${quoted(agent)}`
}

function quoted(value: string): string {
  return /^[\w./:#@-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}
