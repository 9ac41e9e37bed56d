/** How a person is reached, written in one way: the same address or number is the same text, whichever source wrote it. */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Marks of direction and other signs that nobody sees: a number that was copied from a phone's address book stands between two of them. */
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const DASHES = /[\u2010-\u2015\u2212]/g
/** What is dialled once the other side has answered: `x12`, `ext. 3`, `,,123#`. It says nothing of who is reached. */
const DIALLED_AFTER = /\s*(?:;?\s*(?:x|ext(?:ension)?)[.:=]?\s*\d+|[,;pw][\d,;pw#*]*|#\d*)$/i
const NUMBER = /^[+(]?[\d][\d\s().\-/]*$|^\+[\d\s().\-/]+$/
/** Short codes of banks and shops are numbers too, and of no country. */
const LEAST_DIGITS = 7

/**
 * A mail address in lower case; a phone number in E.164 where its country is known, else its digits; anything else (a short code, a user name)
 * trimmed, in lower case. `country` is where numbers without a country code are from.
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
  // From most countries one dials 00 before the country's own code, and no number at home begins so.
  const abroad = digits.startsWith('00') ? parsePhoneNumberFromString(`+${digits.slice(2)}`) : undefined
  return abroad?.isPossible() ? abroad.number : digits
}

/** Whether somebody who writes this means a phone number. */
export function isNumber(text: string): boolean {
  return numberIn(text.replace(UNSEEN, '').trim()) !== undefined
}

/** Written in one script and without what is dialled after it; undefined where the text is no number. */
function numberIn(text: string): string | undefined {
  if (NUMBER.test(text)) return text
  const plain = text.normalize('NFKC').replace(DASHES, '-')
  if (NUMBER.test(plain)) return plain
  const number = plain.replace(DIALLED_AFTER, '')
  return NUMBER.test(number) && number.replace(/\D/g, '').length >= LEAST_DIGITS ? number : undefined
}

/** The country of the first of the owner's numbers that has one. */
export function countryOf(phones: readonly string[]): CountryCode | undefined {
  for (const phone of phones) {
    const country = parsePhoneNumberFromString(phone)?.country
    if (country !== undefined) return country
  }
  return undefined
}
