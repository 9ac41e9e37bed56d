/** Gathers the entities and observations of one episode: one entity for each name, with every place that names it. */
import type { Extracted, ExtractedAlias, ExtractedEntity, ExtractedObservation, Span } from '../../graph/extracted.ts'

interface Draft {
  readonly ref: string
  type: string
  readonly name: string
  readonly aliases: Map<string, ExtractedAlias>
  readonly mentions: Map<string, Span>
  confidence: number
}

export interface NewEntity {
  readonly ref: string
  readonly type: string
  readonly name: string
  readonly mention: Span
  readonly aliases?: readonly ExtractedAlias[]
  readonly confidence: number
}

export interface Collected {
  /** The ref of the entity: an earlier one with that ref takes what is new. */
  entity(one: NewEntity): string
  has(ref: string): boolean
  observe(one: ExtractedObservation): void
  /** Entities that nothing but a claim about them would keep are kept too: every one has a mention. */
  extracted(): Extracted
}

/** A pet or a place says more than a person or an entity. */
const LESS_SURE = new Set(['entity', 'person'])

export function collect(): Collected {
  const drafts = new Map<string, Draft>()
  const observations: ExtractedObservation[] = []
  return {
    entity({ ref, type, name, mention, aliases = [], confidence }) {
      const known = drafts.get(ref)
      const draft: Draft = known ?? { ref, type, name, aliases: new Map(), mentions: new Map(), confidence }
      drafts.set(ref, draft)
      if (LESS_SURE.has(draft.type) && !LESS_SURE.has(type)) draft.type = type
      draft.confidence = Math.max(draft.confidence, confidence)
      draft.mentions.set(`${mention.message} ${mention.start} ${mention.end}`, mention)
      for (const alias of aliases) {
        const key = `${alias.type} ${alias.value.toLowerCase()}`
        // What a header says is worth more than what a text says.
        if (draft.aliases.get(key)?.from !== 'header') draft.aliases.set(key, alias)
      }
      return ref
    },
    has: (ref) => drafts.has(ref),
    observe: (one) => void observations.push(one),
    extracted: () => ({ entities: [...drafts.values()].map(entityOf), observations }),
  }
}

function entityOf({ ref, type, name, aliases, mentions, confidence }: Draft): ExtractedEntity {
  return { ref, type, name, confidence, aliases: [...aliases.values()], mentions: [...mentions.values()] }
}
