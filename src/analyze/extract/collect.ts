import type { Extracted, ExtractedAlias, ExtractedEntity, ExtractedObservation, Span } from '../../graph/extracted.ts'

interface Draft {
  readonly ref: string
  type: string
  readonly name: string
  readonly qualifier: string | undefined
  readonly aliases: Map<string, ExtractedAlias>
  readonly mentions: Map<string, Span>
  confidence: number
}

export interface NewEntity {
  readonly ref: string
  readonly type: string
  readonly name: string
  /** Distinguishes people with the same first name; stands in the ref behind `TOLD_APART`. */
  readonly qualifier?: string | undefined
  readonly mention: Span
  readonly aliases?: readonly ExtractedAlias[]
  readonly confidence: number
}

export interface Collected {
  entity(one: NewEntity): string
  has(ref: string): boolean
  observe(one: ExtractedObservation): void
  extracted(): Extracted
}

/** More specific types, such as pet or place, win over these. */
const LESS_SURE = new Set(['entity', 'person'])

export function collect(): Collected {
  const drafts = new Map<string, Draft>()
  const observations: ExtractedObservation[] = []
  return {
    entity({ ref, type, name, mention, qualifier, aliases = [], confidence }) {
      const known = drafts.get(ref)
      const draft: Draft = known ?? { ref, type, name, qualifier, aliases: new Map(), mentions: new Map(), confidence }
      drafts.set(ref, draft)
      if (LESS_SURE.has(draft.type) && !LESS_SURE.has(type)) draft.type = type
      draft.confidence = Math.max(draft.confidence, confidence)
      draft.mentions.set(`${mention.message} ${mention.start} ${mention.end}`, mention)
      for (const alias of aliases) {
        const key = `${alias.type} ${alias.value.toLowerCase()}`
        // A header is more reliable than a text.
        if (draft.aliases.get(key)?.from !== 'header') draft.aliases.set(key, alias)
      }
      return ref
    },
    has: (ref) => drafts.has(ref),
    observe: (one) => void observations.push(one),
    extracted: () => {
      const meant = meantBy(drafts)
      const now = (ref: string) => meant.get(ref) ?? ref
      return {
        entities: [...drafts.values()].flatMap((draft) => (meant.has(draft.ref) ? [] : entityOf(draft))),
        observations: observations.map((one) => ({
          ...one,
          subject: now(one.subject),
          object: 'ref' in one.object ? { ref: now(one.object.ref) } : one.object,
        })),
      }
    },
  }
}

/** Between a name and its qualifier in a ref. */
export const TOLD_APART = '#'

/** "My sister Sarah called. Sarah is well.": a bare name means the only qualified person of that name. */
function meantBy(drafts: ReadonlyMap<string, Draft>): Map<string, string> {
  const told = new Map<string, Draft[]>()
  for (const draft of drafts.values()) {
    const bare = draft.qualifier === undefined ? undefined : draft.ref.split(TOLD_APART)[0]
    if (bare !== undefined && bare !== draft.ref) told.set(bare, [...(told.get(bare) ?? []), draft])
  }
  const meant = new Map<string, string>()
  for (const [ref, [one, ...others]] of told) {
    const bare = drafts.get(ref)
    if (bare?.type !== 'person' || one === undefined || others.length > 0) continue
    for (const [key, span] of bare.mentions) one.mentions.set(key, span)
    for (const [key, alias] of bare.aliases) if (!one.aliases.has(key)) one.aliases.set(key, alias)
    one.confidence = Math.max(one.confidence, bare.confidence)
    meant.set(ref, one.ref)
  }
  return meant
}

function entityOf({ ref, type, name, qualifier, aliases, mentions, confidence }: Draft): ExtractedEntity {
  return { ref, type, name, qualifier, confidence, aliases: [...aliases.values()], mentions: [...mentions.values()] }
}
