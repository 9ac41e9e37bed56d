/** How a person is reached, written in one way: the same address or number is the same text, whichever source wrote it. */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * A mail address in lower case; a phone number in E.164 where its country is known, else its digits; anything else (a short code, a user name)
 * trimmed, in lower case. `country` is where numbers without a country code are from.
 */
export function normalHandle(raw: string, country?: CountryCode): string {
  const text = raw
    .trim()
    .replace(/^(?:mailto|tel|sms|e|p):/i, '')
    .trim()
  if (text.includes('@')) return text.toLowerCase()
  if (!/^[+(]?[\d][\d\s().\-/]*$|^\+[\d\s().\-/]+$/.test(text)) return text.toLowerCase()
  const digits = text.replace(/[^\d+]/g, '')
  // Short codes of banks and shops are numbers too, and of no country.
  if (digits.length < 7) return digits
  const parsed = parsePhoneNumberFromString(text, country)
  return parsed?.isPossible() ? parsed.number : digits
}

/** The country of the first of the owner's numbers that has one. */
export function countryOf(phones: readonly string[]): CountryCode | undefined {
  for (const phone of phones) {
    const country = parsePhoneNumberFromString(phone)?.country
    if (country !== undefined) return country
  }
  return undefined
}
