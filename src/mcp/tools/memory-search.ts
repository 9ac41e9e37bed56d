import { z } from 'zod'
import { name, short, some } from '../fields.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'
import { answer, counted, filters, hit, queries, questions } from './search-fields.ts'
import { searched } from './searched.ts'

const input = z.strictObject({
  query: short.describe('question, identifier, path or error; quotes make a phrase').optional(),
  queries: queries.describe('3 other phrasings find more: likely identifiers, other words, the likely answer').optional(),
  questions: questions.describe('up to 8 in one call: each a list, query and other phrasings'),
  sources: some(name, 20).describe('sessions, events, memory (documents), a harness').optional(),
  ...counted,
  filters: filters.optional(),
})

const output = z.looseObject({
  ...answer,
  results: z.array(z.looseObject({ ...hit, start_line: z.int(), end_line: z.int(), score: z.number(), snippet: z.string() })),
})

export function memorySearch(served: Served): Tool<z.infer<typeof input>> {
  const { mnemonic, folder, personal } = served
  return {
    name: 'memory_search',
    title: 'Search memory',
    description:
      'Finds what was said, done or decided: session history (agents ledger), messages, mail and meetings (events ledger), documents. Hits show the sentences that answer.',
    input,
    output,
    async call(request, signal) {
      const here = { prefer_project: await folder(), personal: await personal(), ...request, signal }
      return searched(served, here, {
        one: (asked) => mnemonic.memorySearch(asked),
        each: (questions, asked) => mnemonic.each.memorySearch(questions, asked),
      })
    },
  }
}
