/**
 * A span of time as people say it: "yesterday", "last Tuesday", "mid January", "Q1 2026", "the week of the 3rd", "between 5 and 9 January". Pure.
 * Days are those of the owner's calendar, which the caller hands in: whether the clocks change on one of them is the caller's to know.
 */

/** Midnight of a day; months and days beyond their end carry over. */
export interface PhraseCalendar {
  readonly year: number
  readonly month: number
  readonly day: number
  at(year: number, month: number, day: number): number
}

export interface PhraseSpan {
  /** Inclusive. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const MONTH = `(${MONTHS.flatMap((name) => [name, `${name.slice(0, 3)}\\.?`]).join('|')}|sept\\.?)`
const DAY = '([0-3]?\\d)(?:st|nd|rd|th)?'
const YEAR = '(?:,? (?:of )?((?:19|20)\\d\\d))?'
const PART = '(?:the )?(early|beginning of|start of|mid|middle of|late|end of)[ -]'
const COUNT = `(\\d{1,3}|an?|couple of|few|${NUMBERS.slice(1).join('|')})`

type Make = (found: readonly (string | undefined)[], calendar: PhraseCalendar) => PhraseSpan | undefined

const FORMS: readonly { readonly pattern: RegExp; readonly make: Make }[] = [
  form('today', (_, c) => days(c, 0, 1)),
  form('yesterday', (_, c) => days(c, -1, 1)),
  form('(?:the )?day before yesterday', (_, c) => days(c, -2, 1)),
  form('tomorrow', (_, c) => days(c, 1, 1)),
  form(`(?:on |last |past )*(${WEEKDAYS.join('|')})`, ([, name], c) => days(c, -daysSince(name ?? '', c), 1)),
  form('this week', (_, c) => days(c, -weekday(c), 7)),
  form('last week', (_, c) => days(c, -weekday(c) - 7, 7)),
  form('(?:last|past) weekend', (_, c) => days(c, -weekday(c) - 2, 2)),
  form(`(?:the )?(?:last|past) ${COUNT} (day|week|month)s`, ([, count, unit], c) => lately(c, numberOf(count ?? ''), unit ?? '')),
  form(`${COUNT} (day|week|month)s? ago`, ([, count, unit], c) => back(c, numberOf(count ?? ''), unit ?? '')),
  form('this month', (_, c) => months(c, c.year, c.month, 1)),
  form('last month', (_, c) => months(c, c.year, c.month - 1, 1)),
  form('this year', (_, c) => months(c, c.year, 1, 12)),
  form('last year', (_, c) => months(c, c.year - 1, 1, 12)),
  form(`q([1-4])${YEAR}`, ([, q, year], c) => latest(c, year, (one) => months(c, one, Number(q) * 3 - 2, 3))),
  form(`(first|second|third|fourth) quarter${YEAR}`, ([, name, year], c) =>
    latest(c, year, (one) => months(c, one, ['first', 'second', 'third', 'fourth'].indexOf(name ?? '') * 3 + 1, 3)),
  ),
  form(`${PART}${MONTH}${YEAR}`, ([, part, name, year], c) => latest(c, year, (one) => partOf(c, one, monthOf(name), part ?? ''))),
  form(`(?:in )?(?:last )?${MONTH}${YEAR}`, ([, name, year], c) => latest(c, year, (one) => months(c, one, monthOf(name), 1))),
  form(`(?:on )?(?:the )?${MONTH} ${DAY}${YEAR}`, ([, name, day, year], c) => latest(c, year, (one) => dayOf(c, one, monthOf(name), day))),
  form(`(?:on )?(?:the )?${DAY}(?: of)? ${MONTH}${YEAR}`, ([, day, name, year], c) =>
    latest(c, year, (one) => dayOf(c, one, monthOf(name), day)),
  ),
  form('(?:on )?the ([0-3]?\\d)(?:st|nd|rd|th)', ([, day], c) => lastDayNumbered(c, Number(day))),
  form('((?:19|20)\\d\\d)-([01]\\d)-([0-3]\\d)', ([, year, month, day], c) => dayOf(c, Number(year), Number(month), day)),
  form('((?:19|20)\\d\\d)-([01]\\d)', ([, year, month], c) =>
    Number(month) < 1 || Number(month) > 12 ? undefined : months(c, Number(year), Number(month), 1),
  ),
]

function form(source: string, make: Make) {
  return { pattern: new RegExp(`^${source}$`, 'i'), make }
}

/** Undefined for anything else, and for days that no calendar has. */
export function phraseSpan(text: string, calendar: PhraseCalendar): PhraseSpan | undefined {
  const said = text.trim().toLowerCase().replace(/\s+/g, ' ')
  return rangeOf(said, calendar) ?? weekOf(said, calendar) ?? countedFrom(said, calendar) ?? single(said, calendar)
}

function single(said: string, calendar: PhraseCalendar): PhraseSpan | undefined {
  for (const { pattern, make } of FORMS) {
    const found = pattern.exec(said)
    if (found !== null) return make(found, calendar)
  }
  return undefined
}

/** "between 5 and 9 January", "from January 5 to 9", "3 March to 5 April": the end counts. */
function rangeOf(said: string, calendar: PhraseCalendar): PhraseSpan | undefined {
  const [, first = '', last = ''] =
    /^between (.+?) and (.+)$/.exec(said) ??
    /^from (.+?) (?:to|until|till) (.+)$/.exec(said) ??
    /^(.+?) (?:to|until|–|—|-) (.+)$/.exec(said) ??
    []
  if (first === '' || last === '') return undefined
  const month = new RegExp(MONTH, 'i')
  const year = /(?:19|20)\d\d/
  // "5 and 9 January", "January 5 and 9", "5 January and 9 January 2026": what one end leaves out stands at the other.
  const lentMonth = (of: string, by: string) =>
    /^\d{1,2}(?:st|nd|rd|th)?$/.test(of) && month.test(by) ? `${of} ${month.exec(by)?.[0]}` : of
  const lentYear = (of: string, by: string) => (year.test(of) || !year.test(by) ? of : `${of} ${year.exec(by)?.[0]}`)
  const to = single(lentYear(lentMonth(last, first), first), calendar)
  const from = single(lentYear(lentMonth(first, last), last), calendar)
  return from === undefined || to === undefined || to.to <= from.from ? undefined : { from: from.from, to: to.to }
}

/** The week from Monday to Sunday that a day is in. */
function weekOf(said: string, calendar: PhraseCalendar): PhraseSpan | undefined {
  const day = /^(?:in )?(?:the )?week of (.+)$/.exec(said)?.[1]
  const span = day === undefined ? undefined : single(day, calendar)
  if (span === undefined) return undefined
  const { year, month, day: number } = calendarDay(span.from, calendar)
  const back = (new Date(Date.UTC(year, month - 1, number)).getUTCDay() + 6) % 7
  return { from: calendar.at(year, month, number - back), to: calendar.at(year, month, number - back + 7) }
}

/** "two weeks before January 14": the day that is so far away; with a week or more, the days around it. */
function countedFrom(said: string, calendar: PhraseCalendar): PhraseSpan | undefined {
  const found = new RegExp(`^${COUNT} (day|week|month)s? (before|after) (.+)$`).exec(said)
  const span = found === null ? undefined : single(found[4] ?? '', calendar)
  if (found === null || span === undefined) return undefined
  const { year, month, day } = calendarDay(span.from, calendar)
  const count = numberOf(found[1] ?? '') * (found[3] === 'before' ? -1 : 1)
  if (found[2] === 'month') return { from: calendar.at(year, month + count, day), to: calendar.at(year, month + count, day + 1) }
  const off = count * (found[2] === 'week' ? 7 : 1)
  return { from: calendar.at(year, month, day + off), to: calendar.at(year, month, day + off + 1) }
}

export function numberOf(word: string): number {
  if (/^\d/.test(word)) return Number(word)
  const index = NUMBERS.indexOf(word)
  return index > 0 ? index : ({ 'couple of': 2, few: 3 }[word] ?? 1)
}

/** The calendar's day that begins at a midnight: looked for around the day in UTC. */
function calendarDay(midnight: number, { at }: PhraseCalendar): { year: number; month: number; day: number } {
  const near = new Date(midnight)
  for (const off of [0, 1, -1]) {
    const date = new Date(Date.UTC(near.getUTCFullYear(), near.getUTCMonth(), near.getUTCDate() + off))
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
    if (at(year, month, day) === midnight) return { year, month, day }
  }
  return { year: near.getUTCFullYear(), month: near.getUTCMonth() + 1, day: near.getUTCDate() }
}

function days({ at, year, month, day }: PhraseCalendar, off: number, count: number): PhraseSpan {
  return { from: at(year, month, day + off), to: at(year, month, day + off + count) }
}

/** The last days, weeks or months up to today, and it. */
function lately({ at, year, month, day }: PhraseCalendar, count: number, unit: string): PhraseSpan {
  const from = unit === 'month' ? at(year, month - count, day) : at(year, month, day - count * (unit === 'week' ? 7 : 1))
  return { from, to: at(year, month, day + 1) }
}

/** The day, the week from Monday on, or the month that was so long ago. */
function back(calendar: PhraseCalendar, count: number, unit: string): PhraseSpan {
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

function partOf({ at }: PhraseCalendar, year: number, month: number, part: string): PhraseSpan {
  if (/^(?:early|beginning|start)/.test(part)) return { from: at(year, month, 1), to: at(year, month, 11) }
  if (part.startsWith('mid')) return { from: at(year, month, 11), to: at(year, month, 21) }
  return { from: at(year, month, 21), to: at(year, month + 1, 1) }
}

/** Without a year: the last one that has begun. */
function latest(
  calendar: PhraseCalendar,
  year: string | undefined,
  make: (year: number) => PhraseSpan | undefined,
): PhraseSpan | undefined {
  if (year !== undefined) return make(Number(year))
  const today = calendar.at(calendar.year, calendar.month, calendar.day)
  // February 29 was in one of the last eight years.
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

/** Days since the last day of that name before today: 1 to 7. */
function daysSince(name: string, { year, month, day }: PhraseCalendar): number {
  return ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() - WEEKDAYS.indexOf(name) + 6) % 7) + 1
}

function monthOf(name: string | undefined): number {
  return MONTHS.findIndex((month) => month.startsWith((name ?? '?').slice(0, 3).toLowerCase())) + 1
}
