/** An entity that was found in an episode, as a facet of it, with the first place that names it. */
import type { ExtractedEntity } from '../graph/extracted.ts'
import type { FoundFacet } from './analyzer.ts'

export function entityFacet({ type, name, confidence, aliases, mentions }: ExtractedEntity): FoundFacet {
  const handle = aliases.find((alias) => alias.from === 'header' && alias.type !== 'name')?.value
  const span = mentions.find(({ start, end }) => end > start)
  return {
    ...{ type: type === 'person' ? 'person' : 'entity', value: name, confidence },
    ...(type === 'person' && handle !== undefined ? { person: handle } : {}),
    ...(span === undefined ? {} : { span }),
    ...(type === 'person' ? {} : { metadata: { entity_type: type } }),
  }
}
