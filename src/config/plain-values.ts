/** What an e-mail address and a time zone look like, for callers that do not load the schema. */

/** In lower case, trimmed. */
export const EMAIL = /^[^\s@<>,;:"]+@[^\s@<>,;:".]+(?:\.[^\s@<>,;:".]+)+$/

export function isTimezone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
