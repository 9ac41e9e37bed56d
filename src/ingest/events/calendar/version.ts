/** Which of several versions of an entry is the newest: SEQUENCE counts what matters to the invited, the times tell the rest apart. */
import { type Entry, text } from './entry.ts'

/** What is sent about a meeting, and what is sent back about it; anything else is a calendar. */
const SENT = new Set(['REQUEST', 'ADD', 'CANCEL'])
const ANSWERS = new Set(['REPLY', 'COUNTER', 'DECLINECOUNTER', 'REFRESH'])

/** An invitation, or an answer to one: a letter that anybody can write, not a calendar that somebody keeps. */
export function isLetter({ calendar: { method = '' } }: Pick<Entry, 'calendar'>): boolean {
  return SENT.has(method) || ANSWERS.has(method)
}

/**
 * Greater text is newer. A letter never takes the place of what a calendar says, nor an answer that of an invitation, however new it claims to be. Many programs write the time of the export into DTSTAMP: it counts only where nothing says when
 * the entry changed.
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

/** These times are in UTC; where the `Z` is missing it was forgotten. */
function timeOf(written: string | undefined): number | undefined {
  const match = /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)/.exec(written ?? '')
  if (match === null) return undefined
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second)
}
