/**
 * Time spans in words: "last Tuesday", "mid January", "Q1 2026", "the week of the 3rd", "between 5 and 9 January". Days come from the
 * caller's calendar, which knows clock changes.
 */
import { calendarDay, type PhraseCalendar, type PhraseSpan, partOfTime } from './time-parts.ts'

export type { PhraseCalendar, PhraseSpan } from './time-parts.ts'

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const MONTH = `(${MONTHS.flatMap((name) => [name, `${name.slice(0, 3)}\\.?`]).join('|')}|sept\\.?)`
const NTH = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth', 'eleventh', 'twelfth']
const DAY = `([0-3]?\\d|${NTH.join('|')})(?:st|nd|rd|th)?`
const DAY_NAME = `(${WEEKDAYS.join('|')})`
const YEAR = '(?:,? (?:of |in )?((?:19|20)\\d\\d))?'
const COUNT = `(\\d{1,3}|an?|couple of|few|${NUMBERS.slice(1).join('|')})`

type Make = (found: readonly (string | undefined)[], calendar: PhraseCalendar) => PhraseSpan | undefined

const FORMS: readonly { readonly pattern: RegExp; readonly make: Make }[] = [
  form('(?:today|tonight|now)', (_, c) => days(c, 0, 1)),
  form('yesterday', (_, c) => days(c, -1, 1)),
  form('last night', (_, c) => days(c, -1, 1)),
  form('(?:the )?day before yesterday', (_, c) => days(c, -2, 1)),
  form('tomorrow', (_, c) => days(c, 1, 1)),
  form('(?:the )?day after tomorrow', (_, c) => days(c, 2, 1)),
  form(`(?:on |last |past |this past )*${DAY_NAME}`, ([, name], c) => days(c, -daysSince(name ?? '', c), 1)),
  form(`next ${DAY_NAME}`, ([, name], c) => days(c, 7 - (daysSince(name ?? '', c) % 7), 1)),
  form(`this ${DAY_NAME}`, ([, name], c) => days(c, WEEKDAYS.indexOf(name ?? '') - 1 - weekday(c) + (name === 'sunday' ? 7 : 0), 1)),
  form(`${DAY_NAME} (?:of )?(last|this) week`, ([, name, which], c) => dayInWeek(c, name ?? '', which ?? '')),
  form(`(last|this) week,? (?:on )?${DAY_NAME}`, ([, which, name], c) => dayInWeek(c, name ?? '', which ?? '')),
  form('(?:this|the|the current|current) week', (_, c) => days(c, -weekday(c), 7)),
  form('(?:last|previous|the previous) week', (_, c) => days(c, -weekday(c) - 7, 7)),
  form('next week', (_, c) => days(c, 7 - weekday(c), 7)),
  form('(?:the )?week before last', (_, c) => days(c, -weekday(c) - 14, 7)),
  form('(?:last|past|previous|the|the last|the past) weekend', (_, c) => days(c, -weekday(c) - 2, 2)),
  form(`${COUNT} weekends? ago`, ([, count], c) => days(c, -weekday(c) + 5 - 7 * numberOf(count ?? ''), 2)),
  form('(?:this|next) weekend', (_, c) => days(c, 5 - weekday(c), 2)),
  form('(?:the |this )?past (day|week|month|year)', ([, unit], c) => lately(c, 1, unit ?? '')),
  form('(?:recently|lately|the other day|these days|the last few days)', (_, c) => lately(c, 7, 'day')),
  form('(?:the )?(?:last|past) fortnight', (_, c) => lately(c, 2, 'week')),
  form('(?:a |one )fortnight (?:ago|back)', (_, c) => back(c, 2, 'week')),
  form(`(?:the |these )?(?:last|past|previous) ${COUNT} (day|week|month|year)s?`, ([, count, unit], c) =>
    lately(c, numberOf(count ?? ''), unit ?? ''),
  ),
  form(`(?:the )?(?:last|past) ${COUNT} hours`, ([, count], c) => lately(c, Math.ceil(numberOf(count ?? '') / 24), 'day')),
  form(`${COUNT} (day|week|month|year)s? (?:ago|back|earlier)`, ([, count, unit], c) => back(c, numberOf(count ?? ''), unit ?? '')),
  form('(?:this|the|the current|current) month', (_, c) => months(c, c.year, c.month, 1)),
  form('(?:last|previous|the previous) month', (_, c) => months(c, c.year, c.month - 1, 1)),
  form('(?:the )?month before last', (_, c) => months(c, c.year, c.month - 2, 1)),
  form('next month', (_, c) => months(c, c.year, c.month + 1, 1)),
  form('(?:this|the|the current|current) year', (_, c) => months(c, c.year, 1, 12)),
  form('(?:last|previous|the previous) year', (_, c) => months(c, c.year - 1, 1, 12)),
  form('next year', (_, c) => months(c, c.year + 1, 1, 12)),
  form('(last|this|previous|the current|current|next) quarter', ([, which], c) => quarter(c, which ?? '')),
  form(`q([1-4])${YEAR}`, ([, q, year], c) => latest(c, year, (one) => months(c, one, Number(q) * 3 - 2, 3))),
  form(`(?:the )?(first|second|third|fourth) quarter${YEAR}`, ([, name, year], c) =>
    latest(c, year, (one) => months(c, one, NTH.indexOf(name ?? '') * 3 + 1, 3)),
  ),
  form(`h([12])${YEAR}`, ([, half, year], c) => latest(c, year, (one) => months(c, one, Number(half) * 6 - 5, 6))),
  form(`(?:last |this )?(spring|summer|autumn|fall|winter)${YEAR}`, ([, name, year], c) => season(c, name ?? '', year)),
  form('((?:19|20)\\d\\d)', ([, year], c) => months(c, Number(year), 1, 12)),
  form(`(?:last )?${MONTH}${YEAR}`, ([, name, year], c) => latest(c, year, (one) => months(c, one, monthOf(name), 1))),
  form(`${MONTH} (?:last|this) year`, ([said, name], c) => months(c, c.year - (/last/.test(said ?? '') ? 1 : 0), monthOf(name), 1)),
  form(`(?:the )?${MONTH}[ -]?(?:the )?${DAY}${YEAR}`, ([, name, day, year], c) =>
    latest(c, year, (one) => dayOf(c, one, monthOf(name), dayNumber(day))),
  ),
  form(`(?:the )?${DAY}(?: of)?[ -]?${MONTH}(?:-((?:19|20)\\d\\d))?${YEAR}`, ([, day, name, joined, year], c) =>
    latest(c, joined ?? year, (one) => dayOf(c, one, monthOf(name), dayNumber(day))),
  ),
  form('the ([0-3]?\\d)(?:st|nd|rd|th)', ([, day], c) => lastDayNumbered(c, Number(day))),
  form('(?:the )?([0-3]?\\d)(?:st|nd|rd|th)? of (last|this|the) month', ([, day, which], c) => {
    const { year, month } = calendarDay(months(c, c.year, c.month - (which === 'last' ? 1 : 0), 1).from, c)
    return dayOf(c, year, month, day)
  }),
  form('((?:19|20)\\d\\d)([-/.])([01]?\\d)\\2([0-3]?\\d)', ([, year, , month, day], c) => dayOf(c, Number(year), Number(month), day)),
  form('([0-3]?\\d)\\.([01]?\\d)\\.((?:19|20)\\d\\d)', ([, day, month, year], c) => dayOf(c, Number(year), Number(month), day)),
  form('([0-3]?\\d)/([0-3]?\\d)/((?:19|20)\\d\\d)', ([, one, two, year], c) => slashed(c, Number(one), Number(two), Number(year))),
  form('((?:19|20)\\d\\d)-([01]\\d)', ([, year, month], c) =>
    Number(month) < 1 || Number(month) > 12 ? undefined : months(c, Number(year), Number(month), 1),
  ),
  form(`(?:calendar |iso )?week ([1-5]?\\d)(?:(?:,| of| in)? ((?:19|20)\\d\\d))?`, ([, number, year], c) =>
    latest(c, year, (one) => isoWeek(c, one, Number(number))),
  ),
]

function form(source: string, make: Make) {
  return { pattern: new RegExp(`^${source}$`, 'i'), make }
}

/** Undefined for other text and for impossible dates. */
export function phraseSpan(text: string, calendar: PhraseCalendar): PhraseSpan | undefined {
  const said = asWritten(text)
  return (
    rangeOf(said, calendar) ?? together(said, calendar) ?? weekOf(said, calendar) ?? countedFrom(said, calendar) ?? single(said, calendar)
  )
}

/** Leading words that change nothing. */
const LEAD =
  /^(?:in|on|at|during|throughout|over|within|around|sometime|some time|all of|the whole of|the whole|earlier|so far|later)(?: in| on| of)? /
const PART_OF_DAY = /^(.+?)(?: in the)? (?:morning|afternoon|evening|night|noon)$/
/** "Tuesday, February 3": the date suffices. */
const WEEKDAY_BEFORE = new RegExp(`^(?:${WEEKDAYS.join('|')}),? (?:the )?(?=.*\\d)`)
const MISSPELT: readonly (readonly [RegExp, string])[] = [
  [/\bfeb(?:uary|urary|ruray|rary)\b/, 'february'],
  [/\bjan(?:urary|uray|uary)\b/, 'january'],
  [/\b(?:yesturday|yesterady|yest)\b/, 'yesterday'],
  [/\bwens?day\b|\bwednsday\b/, 'wednesday'],
]
const SHORT_DAYS: readonly (readonly [RegExp, string])[] = [
  [/\bmon\b/, 'monday'],
  [/\btues?\b/, 'tuesday'],
  [/\bweds?\b/, 'wednesday'],
  [/\bthu(?:rs?)?\b/, 'thursday'],
  [/\bfri\b/, 'friday'],
]

function asWritten(text: string): string {
  let said = text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/['’]s?(?= |$)/g, '')
    .replace(/\s?[–—]\s?/g, ' to ')
    .replace(/ (?:through|thru) /g, ' to ')
  for (const [wrong, right] of [...MISSPELT, ...SHORT_DAYS]) said = said.replace(wrong, right)
  // "Feb 3-5", "3-5 February"
  const month = new RegExp(MONTH, 'i').test(said)
  return month ? said.replace(/\b(\d{1,2}(?:st|nd|rd|th)?)-(\d{1,2}(?:st|nd|rd|th)?)\b(?!-)/, '$1 to $2') : said
}

function single(said: string, calendar: PhraseCalendar): PhraseSpan | undefined {
  const plain = said.replace(LEAD, '').replace(WEEKDAY_BEFORE, '')
  for (const { pattern, make } of FORMS) {
    const found = pattern.exec(plain)
    if (found !== null) return make(found, calendar)
  }
  const part = partOfTime(plain, calendar, { whole: (text) => single(text, calendar), numberOf })
  if (part !== undefined) return part
  const day = PART_OF_DAY.exec(plain)?.[1]
  if (day === undefined) return undefined
  const span = single(day === 'this' ? 'today' : day, calendar)
  return span === undefined || span.to - span.from > DAY_AND_HOUR ? undefined : span
}

/** Longest day with a clock change. */
const DAY_AND_HOUR = 25.5 * 3_600_000

function rangeOf(said: string, calendar: PhraseCalendar): PhraseSpan | undefined {
  const [, first = '', last = ''] =
    /^between (.+?) and (.+)$/.exec(said) ??
    /^from (.+?) (?:to|until|till) (.+)$/.exec(said) ??
    /^(.+?) (?:to|until|–|—|-) (.+)$/.exec(said) ??
    []
  if (first === '' || last === '') return undefined
  const month = new RegExp(MONTH, 'i')
  const year = /(?:19|20)\d\d/
  // "5 and 9 January", "5 January and 9 January 2026": one end lends its month or year to the other.
  const lentMonth = (of: string, by: string) =>
    /^\d{1,2}(?:st|nd|rd|th)?$/.test(of) && month.test(by) ? `${of} ${month.exec(by)?.[0]}` : of
  const lentYear = (of: string, by: string) => (year.test(of) || !year.test(by) ? of : `${of} ${year.exec(by)?.[0]}`)
  const to = single(lentYear(lentMonth(last, first), first), calendar)
  const from = single(lentYear(lentMonth(first, last), last), calendar)
  return from === undefined || to === undefined || to.to <= from.from ? undefined : { from: from.from, to: to.to }
}

/** "Monday and Tuesday": only if they adjoin. */
function together(said: string, calendar: PhraseCalendar): PhraseSpan | undefined {
  const [, first = '', second = ''] = /^(.+?) and (.+)$/.exec(said) ?? []
  const from = first === '' ? undefined : single(first, calendar)
  const to = from === undefined ? undefined : single(second, calendar)
  return from !== undefined && to !== undefined && from.to === to.from ? { from: from.from, to: to.to } : undefined
}

/** Monday to Sunday. */
function weekOf(said: string, calendar: PhraseCalendar): PhraseSpan | undefined {
  const day = /^(?:in )?(?:the )?week of (.+)$/.exec(said)?.[1]
  const span = day === undefined ? undefined : single(day, calendar)
  if (span === undefined) return undefined
  const { year, month, day: number } = calendarDay(span.from, calendar)
  const back = (new Date(Date.UTC(year, month - 1, number)).getUTCDay() + 6) % 7
  return { from: calendar.at(year, month, number - back), to: calendar.at(year, month, number - back + 7) }
}

/** "two weeks before January 14": that day; from a week on, with days around it. */
function countedFrom(said: string, calendar: PhraseCalendar): PhraseSpan | undefined {
  const found = new RegExp(`^${COUNT} (day|week|month)s? (before|after) (.+)$`).exec(said)
  const span = found === null ? undefined : single(found[4] ?? '', calendar)
  if (found === null) return beside(said, calendar)
  if (span === undefined) return undefined
  const { year, month, day } = calendarDay(span.from, calendar)
  const count = numberOf(found[1] ?? '') * (found[3] === 'before' ? -1 : 1)
  if (found[2] === 'month') return { from: calendar.at(year, month + count, day), to: calendar.at(year, month + count, day + 1) }
  const off = count * (found[2] === 'week' ? 7 : 1)
  return { from: calendar.at(year, month, day + off), to: calendar.at(year, month, day + off + 1) }
}

function beside(said: string, calendar: PhraseCalendar): PhraseSpan | undefined {
  const [, unit, where, rest = ''] = /^(?:in )?the (day|week|month) (before|after) (.+)$/.exec(said) ?? []
  const span = unit === undefined ? undefined : single(rest, calendar)
  if (span === undefined) return undefined
  const { year, month, day } = calendarDay(where === 'before' ? span.from : span.to, calendar)
  const length = { day: 1, week: 7 }[unit ?? ''] ?? 0
  const sign = where === 'before' ? -1 : 1
  const other = unit === 'month' ? calendar.at(year, month + sign, day) : calendar.at(year, month, day + sign * length)
  return where === 'before' ? { from: other, to: span.from } : { from: span.to, to: other }
}

export function numberOf(word: string): number {
  if (/^\d/.test(word)) return Number(word)
  const index = NUMBERS.indexOf(word)
  return index > 0 ? index : ({ 'couple of': 2, few: 3 }[word] ?? 1)
}

function days({ at, year, month, day }: PhraseCalendar, off: number, count: number): PhraseSpan {
  return { from: at(year, month, day + off), to: at(year, month, day + off + count) }
}

function lately({ at, year, month, day }: PhraseCalendar, count: number, unit: string): PhraseSpan {
  if (unit === 'year') return { from: at(year - count, month, day), to: at(year, month, day + 1) }
  const from = unit === 'month' ? at(year, month - count, day) : at(year, month, day - count * (unit === 'week' ? 7 : 1))
  return { from, to: at(year, month, day + 1) }
}

function back(calendar: PhraseCalendar, count: number, unit: string): PhraseSpan {
  if (unit === 'year') return months(calendar, calendar.year - count, 1, 12)
  if (unit === 'month') return months(calendar, calendar.year, calendar.month - count, 1)
  return unit === 'week' ? days(calendar, -weekday(calendar) - 7 * count, 7) : days(calendar, -count, 1)
}

function months({ at }: PhraseCalendar, year: number, month: number, count: number): PhraseSpan {
  return { from: at(year, month, 1), to: at(year, month + count, 1) }
}

function dayOf({ at }: PhraseCalendar, year: number, month: number, text: string | undefined): PhraseSpan | undefined {
  const day = Number(text)
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return { from: at(year, month, day), to: at(year, month, day + 1) }
}

function dayInWeek(calendar: PhraseCalendar, name: string, which: string): PhraseSpan {
  const offset = (WEEKDAYS.indexOf(name) + 6) % 7
  return days(calendar, offset - weekday(calendar) - (which === 'last' ? 7 : 0), 1)
}

function quarter(calendar: PhraseCalendar, which: string): PhraseSpan {
  const first = Math.floor((calendar.month - 1) / 3) * 3 + 1
  const off = which === 'last' || which === 'previous' ? -3 : which === 'next' ? 3 : 0
  return months(calendar, calendar.year, first + off, 3)
}

/** Northern hemisphere; winter belongs to the year it begins in. */
function season(calendar: PhraseCalendar, name: string, year: string | undefined): PhraseSpan | undefined {
  const first = { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 }[name] ?? 1
  return latest(calendar, year, (one) => months(calendar, one, first, 3))
}

/** Undefined if day and month are ambiguous. */
function slashed(calendar: PhraseCalendar, one: number, two: number, year: number): PhraseSpan | undefined {
  if (one > 12) return dayOf(calendar, year, two, String(one))
  return two > 12 || one === two ? dayOf(calendar, year, one, String(two)) : undefined
}

/** ISO week: week 1 has the first Thursday. */
function isoWeek({ at }: PhraseCalendar, year: number, week: number): PhraseSpan | undefined {
  const fourth = (new Date(Date.UTC(year, 0, 4)).getUTCDay() + 6) % 7
  const monday = 4 - fourth + 7 * (week - 1)
  return week < 1 || week > 53 ? undefined : { from: at(year, 1, monday), to: at(year, 1, monday + 7) }
}

function dayNumber(text: string | undefined): string | undefined {
  const index = NTH.indexOf(text ?? '')
  return index === -1 ? text : String(index + 1)
}

/** Without a year: the last one that has begun. */
function latest(
  calendar: PhraseCalendar,
  year: string | undefined,
  make: (year: number) => PhraseSpan | undefined,
): PhraseSpan | undefined {
  if (year !== undefined) return make(Number(year))
  const today = calendar.at(calendar.year, calendar.month, calendar.day)
  // A February 29 occurred within the last eight years.
  for (let back = 0; back <= 8; back++) {
    const span = make(calendar.year - back)
    if (span !== undefined && span.from <= today) return span
  }
  return undefined
}

function lastDayNumbered(calendar: PhraseCalendar, day: number): PhraseSpan | undefined {
  for (let back = day <= calendar.day ? 0 : 1; back < 4; back++) {
    const first = new Date(Date.UTC(calendar.year, calendar.month - 1 - back, 1))
    const span = dayOf(calendar, first.getUTCFullYear(), first.getUTCMonth() + 1, String(day))
    if (span !== undefined) return span
  }
  return undefined
}

/** 0 for Monday. */
function weekday({ year, month, day }: PhraseCalendar): number {
  return (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7
}

/** 1 to 7: excludes today. */
function daysSince(name: string, { year, month, day }: PhraseCalendar): number {
  return ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() - WEEKDAYS.indexOf(name) + 6) % 7) + 1
}

function monthOf(name: string | undefined): number {
  return MONTHS.findIndex((month) => month.startsWith((name ?? '?').slice(0, 3).toLowerCase())) + 1
}
