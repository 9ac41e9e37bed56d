/** `memory_search`: all that was said, done and decided, in every ledger and in documents. */
import { z } from 'zod'
import { NOTICE } from '../../core/marked-text.ts'
import { searchForAgent } from '../../library/index.ts'
import { name, short, some } from '../fields.ts'
import { TOOL_HINTS } from '../hints.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'
import { answer, counted, filters, hit, queries } from './search-fields.ts'

const input = z.strictObject({
  query: short
    .describe(
      'The question, an identifier, a path or an error message; quotes make a phrase. Not needed with file, tool, command or errors.',
    )
    .optional(),
  queries: queries
    .describe('3 or 4 other phrasings, which find more: likely terms and identifiers; other words; a statement as the answer puts it.')
    .optional(),
  sources: some(name, 20).describe('sessions, events, memory (documents), or a harness').optional(),
  ...counted,
  filters: filters.optional(),
})

const output = z.looseObject({
  ...answer,
  results: z.array(z.looseObject({ ...hit, start_line: z.int(), end_line: z.int(), score: z.number(), snippet: z.string() })),
})

export function memorySearch({ mnemonic, now, answered, folder }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'memory_search',
    title: 'Search memory',
    description:
      'Searches session history (agents ledger), messages, mail and meetings (events ledger) and documents for what was said, done or decided earlier. Of each hit: number, id, date, title, the sentences that answer.',
    input,
    output,
    async call(request, signal) {
      const found = await mnemonic.memorySearch({ prefer_project: await folder(), ...request, signal })
      answered.remember(
        found.results.map(({ citation }) => citation),
        { about: found.queries, shown: found.results.map(({ excerpt }) => excerpt) },
      )
      return { text: await searchForAgent(found, { now: now(), hints: TOOL_HINTS }), document: { notice: NOTICE, ...found } }
    },
  }
}
