import type { Extracted } from '../../graph/extracted.ts'
import type { Analyzer } from '../analyzer.ts'
import { RULE_EXTRACTOR } from '../statements/by-rules.ts'
import { extractGraph } from './extract-graph.ts'
import { EXTRACTION_VERSION, type RuleOptions } from './rule-options.ts'

export function memoryByRules(options: RuleOptions): Analyzer {
  return {
    ...{ name: 'memory_extraction', version: `${EXTRACTION_VERSION}+${RULE_EXTRACTOR.version}`, implementation: 'rules', reads: 'speech' },
    async analyze(episode, signal) {
      const graph = extractGraph(episode, { ...options, observe: true })
      // Only sync sees all calls, so it decides if a plan was carried out.
      const said = episode.messages.map((message) => ({ ...message, isCarriedOut: false }))
      const statements = await RULE_EXTRACTOR.extract(said, signal)
      return { output: summaryOf(graph, statements.length), graph, statements, facets: [] }
    },
  }
}

function summaryOf({ entities, observations }: Extracted, statements: number) {
  const types: Record<string, number> = {}
  for (const { type } of observations) types[type] = (types[type] ?? 0) + 1
  return { entities: entities.length, observations: types, statements }
}
