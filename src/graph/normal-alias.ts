/** An alias as it is compared: an address or number as the ledger writes it, a name folded. */
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

/** Tells one from all others, as a name does not. */
export function isIdentifier(type: AliasType): boolean {
  return type !== 'name'
}

/** Empty where nothing is left to compare. A handle that is an address or a number counts as that, whatever it was called. */
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

/** What an alias is by its form, where nobody says: an address, a number, a handle, else a name. */
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

/** 'git@github.com:acme/app.git' and 'https://github.com/acme/app' are one. */
function repository(value: string): string {
  return value
    .trim()
    .replace(/^[a-z+]+:\/\/(?:[^@/]+@)?/i, '')
    .replace(/^git@([^:/]+):/i, '$1/')
    .replace(/(?:\.git)?\/*$/i, '')
    .toLowerCase()
}
