import type { CountryCode } from 'libphonenumber-js/min'
import { isNumber, normalHandle } from '../ledgers/people/handle.ts'
import type { ExtractedAlias } from './extracted.ts'
import { foldedName, foldedPersonName } from './folded-name.ts'
import { placeName } from './place-names.ts'
import { REACHED_BY } from './reached-by.ts'

export type AliasType = ExtractedAlias['type']

export interface NormalAlias {
  readonly type: AliasType
  readonly normalized: string
}

export function isIdentifier(type: AliasType): boolean {
  return type !== 'name'
}

/** Empty if nothing is left to compare. Handles that look like an address or number get that type. */
export function normalAlias(
  { type, value }: Pick<ExtractedAlias, 'type' | 'value'>,
  of: { readonly entityType: string; readonly country?: CountryCode | undefined },
): NormalAlias {
  if (type === 'name') return { type, normalized: normalName(value, of.entityType) }
  if (type === 'repository') return { type, normalized: repository(value) }
  if (!REACHED_BY.includes(type)) return { type, normalized: value.trim() }
  const handle = normalHandle(value, of.country)
  if (/^[^\s@]+@[^\s@]+$/.test(handle)) return { type: 'email', normalized: handle }
  if (/^\+?\d{7,}$/.test(handle)) return { type: 'phone', normalized: handle }
  return { type: type === 'username' ? 'username' : 'handle', normalized: handle.replace(/^@/, '') }
}

export function aliasTypeOf(value: string, entityType: string): AliasType {
  const text = value.trim()
  if (/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(text)) return 'email'
  if (/^@[\w.-]{2,}$/.test(text)) return 'handle'
  if (entityType === 'person' && isNumber(text) && text.replace(/\D/g, '').length >= 7) return 'phone'
  return 'name'
}

export function normalName(value: string, entityType: string): string {
  if (entityType === 'person') return foldedPersonName(value)
  return entityType === 'location' ? placeName(foldedName(value)) : foldedName(value)
}

/** 'git@github.com:acme/app.git' and 'https://github.com/acme/app' are equal. */
function repository(value: string): string {
  return value
    .trim()
    .replace(/^[a-z+]+:\/\/(?:[^@/]+@)?/i, '')
    .replace(/^git@([^:/]+):/i, '$1/')
    .replace(/(?:\.git)?\/*$/i, '')
    .toLowerCase()
}
