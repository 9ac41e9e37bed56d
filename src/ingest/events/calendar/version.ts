import { type Entry, text } from './entry.ts'

/** Methods of invitations, and of answers; any other entry is from a calendar. */
const SENT = new Set(['REQUEST', 'ADD', 'CANCEL'])
const ANSWERS = new Set(['REPLY', 'COUNTER', 'DECLINECOUNTER', 'REFRESH'])

/** Anyone can send an invitation or answer, so they are trusted less than a calendar. */
export function isLetter({ calendar: { method = '' } }: Pick<Entry, 'calendar'>): boolean {
  return SENT.has(method) || ANSWERS.has(method)
}

/**
 * Sorts as text. Calendar entries beat invitations, which beat answers, whatever their times. DTSTAMP is only a fallback, because many
 * programs write the export time into it.
 */
export function versionOf(entry: Entry): string {
  const sequence = Number(text(entry, 'sequence') ?? 0)
  const changed = timeOf(text(entry, 'last-modified')) ?? timeOf(text(entry, 'dtstamp')) ?? 0
  const rank = ANSWERS.has(entry.calendar.method ?? '') ? '--' : isLetter(entry) ? '-' : ''
  return `${rank}${padded(Number.isSafeInteger(sequence) && sequence > 0 ? sequence : 0, 10)}.${padded(changed, 15)}`
}

function padded(value: number, digits: number): string {
  return String(Math.max(0, Math.trunc(value))).padStart(digits, '0')
}

/** Always UTC, even if the `Z` is missing. */
function timeOf(written: string | undefined): number | undefined {
  const match = /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)/.exec(written ?? '')
  if (match === null) return undefined
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second)
}
