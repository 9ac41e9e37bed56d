import { z } from 'zod'
import { given } from '../../core/given.ts'
import { sessionsForAgent } from '../../library/index.ts'
import { count, limit, name, text } from '../fields.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'
import { span } from './search-fields.ts'

/** About 600 tokens. */
const LIMIT = 20
/** Limit of the library. */
const MOST = 10_000

const input = z.strictObject({
  text: text('words of title, project or first prompt'),
  project: name.optional(),
  source: text('a harness'),
  ...span,
  after: name.optional(),
  from: count.describe('go on from this number').optional(),
  limit: limit(200),
})

const output = z.looseObject({
  sessions: z.array(z.looseObject({ id: z.string(), session_id: z.string() })),
  total: z.int(),
  next_from: z.int().nullable(),
})

export function sessionList({ mnemonic, answered }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'session_list',
    title: 'List sessions',
    description: 'Lists session history (agents ledger), newest first: id, date, project, title.',
    input,
    output,
    async call({ from = 1, limit: most = LIMIT, ...filters }) {
      const last = Math.min(MOST, from - 1 + most)
      const found = await mnemonic.sessionList({ ...filters, limit: last })
      const sessions = found.sessions.slice(from - 1)
      answered.remember(
        sessions.map(({ session_id }) => session_id),
        { first: from },
      )
      const { total } = found
      const next_from = sessions.length > 0 && total > last && last < MOST ? last + 1 : null
      const next = next_from === null ? undefined : `Next: session_list ${JSON.stringify({ ...filters, from: next_from })}`
      return {
        text: await sessionsForAgent(sessions, { from: from - 1, total, ...given({ next }) }),
        document: { sessions, total, next_from },
      }
    },
  }
}
