/** The analysis `entity_extraction` by rules: who and what an episode names. */
import { given } from '../../core/given.ts'
import type { ExtractedEntity } from '../../graph/extracted.ts'
import type { Analyzer, FoundFacet } from '../analyzer.ts'
import { extractGraph } from './extract-graph.ts'
import { EXTRACTION_VERSION, type RuleOptions } from './rule-options.ts'

export function entitiesByRules(options: RuleOptions): Analyzer {
  return {
    ...{ name: 'entity_extraction', version: EXTRACTION_VERSION, implementation: 'rules', reads: 'speech' },
    analyze(episode) {
      const graph = extractGraph(episode, { ...options, observe: false })
      const output = { entities: graph.entities.map(({ type, name }) => ({ type, name })) }
      return { output, graph, facets: graph.entities.map(facetOf) }
    },
  }
}

function facetOf({ type, name, confidence, aliases, mentions }: ExtractedEntity): FoundFacet {
  const handle = aliases.find((alias) => alias.from === 'header' && alias.type !== 'name')?.value
  const span = mentions.find(({ start, end }) => end > start)
  return {
    ...{ type: type === 'person' ? 'person' : 'entity', value: name, confidence },
    ...(type === 'person' && handle !== undefined ? { person: handle } : {}),
    // Whom a header names, no words name.
    ...(span === undefined ? given({ message: mentions[0]?.message }) : { span }),
    ...(type === 'person' ? {} : { metadata: { entity_type: type } }),
  }
}
