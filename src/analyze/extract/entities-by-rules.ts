import type { Analyzer } from '../analyzer.ts'
import { entityFacet } from '../entity-facet.ts'
import { extractGraph } from './extract-graph.ts'
import { EXTRACTION_VERSION, type RuleOptions } from './rule-options.ts'

export function entitiesByRules(options: RuleOptions): Analyzer {
  return {
    ...{ name: 'entity_extraction', version: EXTRACTION_VERSION, implementation: 'rules', reads: 'speech' },
    analyze(episode) {
      const graph = extractGraph(episode, { ...options, observe: false })
      const output = { entities: graph.entities.map(({ type, name }) => ({ type, name })) }
      return { output, graph, facets: graph.entities.map(entityFacet) }
    },
  }
}
