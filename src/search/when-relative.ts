/** Times that are counted from now: "yesterday", "last week", "three months ago". */
import { type TimeSpan, type Zone, zoned } from './when-span.ts'

const DAY = 86_400_000
/** Who asks may count from another day, that of the telling: such a time says less than a date. */
const SURE = 0.5
const UNIT_DAYS = { day: 1, weekend: 7, week: 7, month: 30.4, year: 365 } as const
type Unit = keyof typeof UNIT_DAYS
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const NUMBER = `\\d{1,3}|an?|couple of|few|several|${NUMBERS.slice(1).join('|')}`
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const AGO = new RegExp(`\\b(${NUMBER}) (day|week|month|year)s? (?:ago|back)\\b`, 'i')
const LAST_FEW = new RegExp(`\\b(?:last|past) (${NUMBER}) (day|week|month|year)s\\b`, 'i')
const LAST = /\b(?:last|past|previous) (week|weekend|month|year)\b/i
const THIS = /\bthis (week|weekend|month|year)\b/i
const LAST_WEEKDAY = new RegExp(`\\b(?:last|past|on) (${WEEKDAYS.join('|')})\\b`, 'i')

export function relativeSpans(query: string, zone: Zone): TimeSpan[] {
  const { at, year, month, day } = zoned(zone)
  const today = at(year, month, day)
  const span = (from: number, to: number): TimeSpan[] => [{ from, to, sure: SURE }]
  if (/\btoday\b|\bthis morning\b/i.test(query)) return span(today, today + DAY)
  if (/\byesterday\b|\blast night\b/i.test(query)) return span(today - DAY, today)
  const ago = AGO.exec(query)
  if (ago) {
    const days = numberOf(ago[1]) * daysOf(ago[2])
    // The further back, the vaguer: three months ago may be ten weeks.
    const off = Math.max(1, daysOf(ago[2]) / 2, days * 0.1) * DAY
    return span(zone.now - days * DAY - off, zone.now - days * DAY + off)
  }
  const few = LAST_FEW.exec(query)
  if (few) return span(zone.now - numberOf(few[1]) * daysOf(few[2]) * DAY, zone.now)
  const weekday = LAST_WEEKDAY.exec(query)?.[1]
  if (weekday !== undefined) {
    const back = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() - WEEKDAYS.indexOf(weekday.toLowerCase()) + 6) % 7
    return span(at(year, month, day - back - 1), at(year, month, day - back))
  }
  const last = LAST.exec(query)?.[1]?.toLowerCase()
  if (last === 'year') return span(at(year - 1, 1, 1), at(year, 1, 1))
  if (last === 'month') return span(at(year, month - 1, 1), at(year, month, 1))
  if (last !== undefined) return span(today - 14 * DAY, today)
  const current = THIS.exec(query)?.[1]?.toLowerCase()
  if (current === 'year') return span(at(year, 1, 1), at(year + 1, 1, 1))
  if (current === 'month') return span(at(year, month, 1), at(year, month + 1, 1))
  return current === undefined ? [] : span(today - 7 * DAY, today + DAY)
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
