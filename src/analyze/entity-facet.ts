import { given } from '../core/given.ts'
import type { ExtractedEntity } from '../graph/extracted.ts'
import type { FoundFacet } from './analyzer.ts'

export function entityFacet({ ref, type, name, confidence, mentions }: ExtractedEntity): FoundFacet {
  const span = mentions.find(({ start, end }) => end > start)
  return {
    ...{ type: type === 'person' ? 'person' : 'entity', value: name, confidence },
    ...(type === 'person' ? { person: ref } : {}),
    // A person named only in a header has no span.
    ...(span === undefined ? given({ message: mentions[0]?.message }) : { span }),
    ...(type === 'person' ? {} : { metadata: { entity_type: type } }),
  }
}
