/** Times counted from now: "yesterday", "last week", "three months ago", "since Monday". */
import { type Calendar, type TimeSpan, type Zone, zoned } from './when-span.ts'

const DAY = 86_400_000
/** Less certain than a date: the question may count from another day. */
const SURE = 0.5
const UNIT_DAYS = { day: 1, weekend: 7, week: 7, month: 30.4, year: 365 } as const
type Unit = keyof typeof UNIT_DAYS
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const NUMBER = `\\d{1,3}|an?|couple of|few|several|${NUMBERS.slice(1).join('|')}`
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const BEFORE_YESTERDAY = /\bday before yesterday\b/i
const TODAY = /\btoday\b|\bthis morning\b/i
const YESTERDAY = /\byesterday\b|\blast night\b/i
const AGO = new RegExp(`\\b(${NUMBER}) (day|week|month|year)s? (?:ago|back)\\b`, 'i')
const LAST_FEW = new RegExp(`\\b(?:last|past) (${NUMBER}) (day|week|month|year)s\\b`, 'i')
const LAST = /\b(?:last|past|previous) (week|weekend|month|year)\b/i
const THIS = /\bthis (week|weekend|month|year)\b/i
const LAST_WEEKDAY = new RegExp(`(?<=\\b(?:last|past|on|since|after|before|until|till) )(${WEEKDAYS.join('|')})\\b`, 'i')
const OPEN = /\b(since|after|before|until|till)(?: the)?(?: last| past)? $/i

export function relativeSpans(query: string, zone: Zone): TimeSpan[] {
  for (const { pattern, span } of TIMES) {
    const found = pattern.exec(query)
    if (found === null) continue
    const [from, to] = span(found, { ...zoned(zone), now: zone.now })
    return [opened({ from, to, sure: SURE }, OPEN.exec(query.slice(0, found.index))?.[1]?.toLowerCase())]
  }
  return []
}

/** "Since last week" goes on until now; "before last week" ends where it begins. */
function opened({ from, to, sure }: TimeSpan, word: string | undefined): TimeSpan {
  if (word === undefined) return { from, to, sure }
  if (word === 'since' || word === 'after') return { from, to: Number.POSITIVE_INFINITY, sure }
  return { from: Number.NEGATIVE_INFINITY, to: word === 'before' ? from : to, sure }
}

type Now = Calendar & { readonly now: number }
type Span = readonly [from: number, to: number]

/** The first match wins. */
const TIMES: readonly { readonly pattern: RegExp; readonly span: (found: RegExpExecArray, now: Now) => Span }[] = [
  { pattern: TODAY, span: (_, now) => [midnight(now), midnight(now) + DAY] },
  { pattern: BEFORE_YESTERDAY, span: (_, now) => [midnight(now) - 2 * DAY, midnight(now) - DAY] },
  { pattern: YESTERDAY, span: (_, now) => [midnight(now) - DAY, midnight(now)] },
  { pattern: AGO, span: ([, count, unit], { now }) => ago(numberOf(count), daysOf(unit), now) },
  { pattern: LAST_FEW, span: ([, count, unit], { now }) => [now - numberOf(count) * daysOf(unit) * DAY, now] },
  { pattern: LAST_WEEKDAY, span: ([, name], now) => weekday(name, now) },
  { pattern: LAST, span: ([, unit], now) => last(unit?.toLowerCase(), now) },
  { pattern: THIS, span: ([, unit], now) => current(unit?.toLowerCase(), now) },
]

function midnight({ at, year, month, day }: Now): number {
  return at(year, month, day)
}

function ago(count: number, unitDays: number, now: number): Span {
  const days = count * unitDays
  // The further back, the vaguer: three months ago may be ten weeks.
  const off = Math.max(1, unitDays / 2, days * 0.1) * DAY
  return [now - days * DAY - off, now - days * DAY + off]
}

function weekday(name: string | undefined, { at, year, month, day }: Now): Span {
  const back = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() - WEEKDAYS.indexOf(name?.toLowerCase() ?? '') + 6) % 7
  return [at(year, month, day - back - 1), at(year, month, day - back)]
}

function last(unit: string | undefined, now: Now): Span {
  const { at, year, month } = now
  if (unit === 'year') return [at(year - 1, 1, 1), at(year, 1, 1)]
  if (unit === 'month') return [at(year, month - 1, 1), at(year, month, 1)]
  return [midnight(now) - 14 * DAY, midnight(now)]
}

function current(unit: string | undefined, now: Now): Span {
  const { at, year, month } = now
  if (unit === 'year') return [at(year, 1, 1), at(year + 1, 1, 1)]
  if (unit === 'month') return [at(year, month, 1), at(year, month + 1, 1)]
  return [midnight(now) - 7 * DAY, midnight(now) + DAY]
}

function numberOf(word: string | undefined): number {
  const text = word?.toLowerCase() ?? ''
  if (/^\d/.test(text)) return Number(text)
  const index = NUMBERS.indexOf(text)
  if (index > 0) return index
  return { 'couple of': 2, few: 3, several: 4 }[text] ?? 1
}

function daysOf(unit: string | undefined): number {
  return UNIT_DAYS[(unit?.toLowerCase() ?? 'day') as Unit]
}
