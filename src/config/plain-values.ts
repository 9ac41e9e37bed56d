/** For callers that must not load the schema. */

/** Expects trimmed, lower-cased input. */
export const EMAIL = /^[^\s@<>,;:"]+@[^\s@<>,;:".]+(?:\.[^\s@<>,;:".]+)+$/

export function isTimezone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
