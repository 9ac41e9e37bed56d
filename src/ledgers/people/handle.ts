import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Invisible marks: numbers copied from a phone are wrapped in them. */
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const DASHES = /[\u2010-\u2015\u2212]/g
/** Extensions and dial strings: `x12`, `ext. 3`, `,,123#`. */
const DIALLED_AFTER = /\s*(?:;?\s*(?:x|ext(?:ension)?)[.:=]?\s*\d+|[,;pw][\d,;pw#*]*|#\d*)$/i
const NUMBER = /^[+(]?[\d][\d\s().\-/]*$|^\+[\d\s().\-/]+$/
/** Shorter numbers are short codes, without a country. */
const LEAST_DIGITS = 7

/**
 * Mail address: lower-cased. Phone number: E.164 if the country is known, else digits. Anything else: trimmed, lower-cased. `country`:
 * default country.
 */
export function normalHandle(raw: string, country?: CountryCode): string {
  const text = raw
    .replace(UNSEEN, '')
    .trim()
    .replace(/^(?:mailto|tel|sms|e|p):/i, '')
    .trim()
  if (text.includes('@')) return text.toLowerCase()
  const number = numberIn(text)
  if (number === undefined) return text.toLowerCase()
  const digits = number.replace(/[^\d+]/g, '')
  if (digits.length < LEAST_DIGITS) return digits
  const parsed = parsePhoneNumberFromString(number, country)
  if (parsed?.isPossible()) return parsed.number
  // 00 is the most common international prefix.
  const abroad = digits.startsWith('00') ? parsePhoneNumberFromString(`+${digits.slice(2)}`) : undefined
  return abroad?.isPossible() ? abroad.number : digits
}

export function isNumber(text: string): boolean {
  return numberIn(text.replace(UNSEEN, '').trim()) !== undefined
}

function numberIn(text: string): string | undefined {
  if (NUMBER.test(text)) return text
  const plain = text.normalize('NFKC').replace(DASHES, '-')
  if (NUMBER.test(plain)) return plain
  const number = plain.replace(DIALLED_AFTER, '')
  return NUMBER.test(number) && number.replace(/\D/g, '').length >= LEAST_DIGITS ? number : undefined
}

export function countryOf(phones: readonly string[]): CountryCode | undefined {
  for (const phone of phones) {
    const country = parsePhoneNumberFromString(phone)?.country
    if (country !== undefined) return country
  }
  return undefined
}
