/** An entity that was found in an episode, as a facet of it, with the first place that names it. */
import { given } from '../core/given.ts'
import type { ExtractedEntity } from '../graph/extracted.ts'
import type { FoundFacet } from './analyzer.ts'

export function entityFacet({ type, name, confidence, aliases, mentions }: ExtractedEntity): FoundFacet {
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
