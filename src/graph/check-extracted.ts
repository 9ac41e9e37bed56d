import { MnemonicError } from '../core/error.ts'
import { checkEntityType } from './entity-types.ts'
import type { Extracted, Span } from './extracted.ts'

export const RELATIONSHIP_TYPE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/

export function checkExtracted(
  { entities, observations }: Extracted,
  { types, messages }: { readonly types: readonly string[]; readonly messages: ReadonlyMap<string, unknown> },
): void {
  const refs = new Set<string>()
  for (const { ref, type, aliases, mentions, confidence } of entities) {
    if (refs.has(ref)) refuse('two entities have one ref', { ref })
    refs.add(ref)
    checkEntityType(type, types)
    checkConfidence(confidence, { ref })
    if (mentions.length === 0) refuse('an entity is mentioned nowhere', { ref })
    for (const span of [...mentions, ...aliases.flatMap(({ span }) => span ?? [])]) checkSpan(span, messages)
  }
  for (const { subject, type, object, span, confidence } of observations) {
    if (!RELATIONSHIP_TYPE.test(type) || type.length > 64) refuse(`${JSON.stringify(type)} is not in SCREAMING_SNAKE_CASE`, { type })
    for (const ref of [subject, ...('ref' in object ? [object.ref] : [])])
      if (!refs.has(ref)) refuse('an observation names an entity that was not found', { type, ref })
    checkConfidence(confidence, { type })
    checkSpan(span, messages)
  }
}

function checkConfidence(confidence: number, of: object): void {
  if (!(confidence >= 0 && confidence <= 1)) refuse('a confidence is not between 0 and 1', { ...of, confidence })
}

function checkSpan({ message, start, end }: Span, messages: ReadonlyMap<string, unknown>): void {
  if (!messages.has(message)) refuse('a span lies in no message of the episode', { message })
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end < start) refuse('a span is none', { message, start, end })
}

function refuse(what: string, details: Readonly<Record<string, unknown>>): never {
  throw new MnemonicError('VALIDATION_ERROR', `cannot write this to the graph: ${what}`, { details })
}
