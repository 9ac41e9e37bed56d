import { z } from 'zod'
import { NOTICE } from '../../core/marked-text.ts'
import { timelineForAgent } from '../../library/index.ts'
import { name, notice, text, time } from '../fields.ts'
import { TOOL_HINTS } from '../hints.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'
import { span } from './search-fields.ts'

const BUDGET = 1200

const input = z.strictObject({
  day: text('2026-02-03, yesterday, last week'),
  ...span,
  after: name.optional(),
  project: name.optional(),
  entity: name.optional(),
})

const entry = z.looseObject({
  kind: z.enum(['session', 'meeting', 'conversation']),
  id: z.string().nullable(),
  from: time,
  to: time,
  title: z.string().nullable(),
  commits: z.array(z.looseObject({ at: time, subject: z.string() })),
  statements: z.array(z.looseObject({ at: time, type: z.string(), words: z.string(), trust: z.string() })),
})

const output = z.looseObject({
  notice,
  from: time,
  to: time,
  timezone: z.string(),
  days: z.array(z.looseObject({ day: z.string(), entries: z.array(entry) })),
  nearest: z.looseObject({ before: z.string().nullable(), after: z.string().nullable() }).nullable(),
})

export function timeline({ mnemonic, answered, personal }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'timeline',
    title: 'Timeline',
    description: 'What happened on some days, in order: session history (agents ledger) with commits and decisions, meetings, messages.',
    input,
    output,
    async call(request) {
      const found = await mnemonic.timeline({ ...request, personal: await personal() })
      const { text: read, entries } = await timelineForAgent(found, {
        budget: BUDGET,
        readHit: (number) => TOOL_HINTS.readHit(number, ''),
      })
      answered.remember(entries.map(({ id, session_id, episode_id }) => session_id ?? id ?? episode_id ?? ''))
      return { text: read, document: { notice: NOTICE, ...found } }
    },
  }
}
