/** `session_search`: the same in conversations with AI agents alone. */
import { z } from 'zod'
import { NOTICE } from '../../core/marked-text.ts'
import { searchForAgent } from '../../library/index.ts'
import { short } from '../fields.ts'
import { TOOL_HINTS } from '../hints.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'
import { answer, counted, hit, queries, sameFilters } from './search-fields.ts'

const input = z.strictObject({
  query: short.optional(),
  queries: queries.optional(),
  filters: sameFilters.optional(),
  ...counted,
})

const output = z.looseObject({
  ...answer,
  results: z.array(z.looseObject({ ...hit, relevance_score: z.number(), content: z.string() })),
})

export function sessionSearch({ mnemonic, now, answered, folder }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'session_search',
    title: 'Search sessions',
    description: 'memory_search in session history (agents ledger) alone.',
    input,
    output,
    async call(request, signal) {
      const found = await mnemonic.sessionSearch({ prefer_project: await folder(), ...request, signal })
      answered.remember(
        found.results.map(({ citation }) => citation),
        { about: found.queries, shown: found.results.map(({ excerpt }) => excerpt) },
      )
      return { text: await searchForAgent(found, { now: now(), hints: TOOL_HINTS }), document: { notice: NOTICE, ...found } }
    },
  }
}
