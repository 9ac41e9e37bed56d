import { MnemonicError } from '../core/error.ts'
import { cutMarked } from '../core/marked-text.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { REMEMBER_TYPES, type RememberType } from '../core/remember-type.ts'
import { type AliasType, normalAlias } from '../graph/normal-alias.ts'
import type { countryOf } from '../ledgers/people/handle.ts'
import type { RememberedEntity, StatedRelation, Statement } from '../ledgers/remembered.ts'
import type { RelationRequest, RememberRequest } from './remember-request.ts'

/** Longer text is a document. */
export const LONGEST_TEXT = 2000

export function checkedText(given: string): string {
  const text = cutMarked(given).replace(/\r\n?/g, '\n').trim()
  if (text === '')
    throw new MnemonicError('VALIDATION_ERROR', 'there is nothing to remember', {
      hint: 'Text that is marked <private> or <mnemonic-memory> is not kept; state the rest in your own words.',
    })
  if (text.length <= LONGEST_TEXT) return text
  throw new MnemonicError('VALIDATION_ERROR', `the text has ${text.length} characters; at most ${LONGEST_TEXT} can be remembered`, {
    details: { characters: text.length, most: LONGEST_TEXT },
    hint: 'Put longer texts into a markdown file of the workspace: they are indexed too.',
  })
}

export function checkedType(type: string | undefined): RememberType | undefined {
  if (type === undefined) return undefined
  const known = REMEMBER_TYPES.find((one) => one === type)
  if (known !== undefined) return known
  throw new MnemonicError('USAGE', `there is no type ${JSON.stringify(type)}`, {
    details: { type },
    hint: `One of: ${REMEMBER_TYPES.join(', ')}.`,
  })
}

const BEGINNINGS: readonly (readonly [RememberType, RegExp])[] = [
  ['correction', /^(?:actually|correction)\b/i],
  ['decision', /^(?:we(?:['’]ve| have)? (?:decided|chosen|chose|agreed)\b|decision:)/i],
  [
    'preference',
    /^(?:please\s+)?(?:always|never|prefer|avoid|don['’]?t|do not|i (?:always |never |really )?(?:prefer|like|want|hate|dislike))\b/i,
  ],
]

export function typeIn(text: string): RememberType {
  return BEGINNINGS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'fact'
}

export function checkedAlias(
  { type, value }: { readonly type: string; readonly value: string },
  entity: RememberedEntity | null,
  country: ReturnType<typeof countryOf>,
): Statement['alias'] {
  if (entity === null) throw new MnemonicError('USAGE', 'an alias is of an entity', { hint: 'Name it: --about NAME' })
  const { normalized, type: as } = normalAlias({ type: type as AliasType, value }, { entityType: entity.type, country })
  if (normalized === '') throw refused(`${JSON.stringify(value)} is no ${type}`, 'Give a name, an address or a number.')
  return { type: as, value: as === 'email' || as === 'phone' ? normalized : value.trim() }
}

const RELATION = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+){0,5}$/
const LONGEST_RELATION = 48
const LONGEST_OBJECT = 200
const SOURCE_TYPES = ['stated', 'inferred', 'imported'] as const

export function checkedRelation(
  { type, object, objectType, confidence = 1, sourceType }: RelationRequest,
  entity: RememberedEntity | null,
): StatedRelation {
  if (entity === null) throw new MnemonicError('USAGE', 'a relation is of an entity', { hint: 'Name it: --about NAME' })
  if (!RELATION.test(type) || type.length > LONGEST_RELATION)
    throw refused(`${JSON.stringify(type)} is no type of a relation`, 'Write it so: WORKS_AT, LIVES_IN, PREFERS.')
  const plain = cutMarked(object).trim()
  if (plain === '' || plain.length > LONGEST_OBJECT)
    throw refused(`what a relation leads to has 1 to ${LONGEST_OBJECT} characters`, 'Give a name or a short value.')
  if (!(confidence >= 0 && confidence <= 1)) throw refused(`a confidence of ${confidence} is none`, 'Give a number from 0 to 1.')
  const source = sourceType === undefined ? null : SOURCE_TYPES.find((one) => one === sourceType)
  if (source === undefined) throw refused(`${JSON.stringify(sourceType)} is no source type`, `One of: ${SOURCE_TYPES.join(', ')}.`)
  return { type, object: plain, objectType: objectType ?? null, confidence, sourceType: source }
}

export function warningsOf(text: string, { text: given }: Pick<RememberRequest, 'text'>): string[] {
  return [
    ...(redactSensitiveText(text, { mode: 'tools' }) === text
      ? []
      : ['it holds what looks like a secret: it is kept as it was said, and shown redacted; to remove it: mnemonic forget --match']),
    ...(cutMarked(given) === given ? [] : ['text that is marked private or was injected by Mnemonic was left out']),
  ]
}

export function refused(message: string, hint: string): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', message, { hint })
}

export function forgotten(): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', 'this was forgotten, and nothing of it is written again')
}
