/** An entity that was found in an episode, as a facet of it, with the first place that names it. */
import { given } from '../core/given.ts'
import type { ExtractedEntity } from '../graph/extracted.ts'
import type { FoundFacet } from './analyzer.ts'

export function entityFacet({ ref, type, name, confidence, mentions }: ExtractedEntity): FoundFacet {
  const span = mentions.find(({ start, end }) => end > start)
  return {
    ...{ type: type === 'person' ? 'person' : 'entity', value: name, confidence },
    ...(type === 'person' ? { person: ref } : {}),
    // Whom a header names, no words name.
    ...(span === undefined ? given({ message: mentions[0]?.message }) : { span }),
    ...(type === 'person' ? {} : { metadata: { entity_type: type } }),
  }
}
