import { z } from 'zod'
import { short } from '../fields.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'
import { answer, hit, queries, sameCounted, sameFilters } from './search-fields.ts'
import { searched } from './searched.ts'

const input = z.strictObject({
  query: short.optional(),
  queries: queries.optional(),
  filters: sameFilters.optional(),
  ...sameCounted,
})

const output = z.looseObject({
  ...answer,
  results: z.array(z.looseObject({ ...hit, relevance_score: z.number(), content: z.string() })),
})

export function sessionSearch(served: Served): Tool<z.infer<typeof input>> {
  const { mnemonic, folder } = served
  return {
    name: 'session_search',
    title: 'Search sessions',
    description: 'memory_search in session history (agents ledger) alone.',
    input,
    output,
    async call(request, signal) {
      const here = { prefer_project: await folder(), ...request, signal }
      return searched(served, here, {
        one: (asked) => mnemonic.sessionSearch(asked),
        each: (questions, asked) => mnemonic.each.sessionSearch(questions, asked),
      })
    },
  }
}
