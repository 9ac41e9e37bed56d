/** Parts of a time: "first week of February", "end of last month", "second half of 2026"; and named days within one. */

/** `at` gives midnight; months and days beyond their end carry over. */
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

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const NUMBER = '\\d{1,2}|couple of|few|two|three|four|five|six|seven|eight|nine|ten'
const NTH = new RegExp(
  `^(?:the )?(first|1st|second|2nd|third|3rd|fourth|4th|fifth|5th|last|final) (?:(${NUMBER}) )?(half|third|quarter|weeks?|weekends?|days?|${WEEKDAYS.join('|')})(?: of| in) (?:the )?(.+)$`,
)
const PART = /^(?:the )?(?:very )?(early|beginning of|start of|mid|middle of|late|later|end of)(?: |-)(?:in )?(?:the )?(.+)$/
/** Shorter times have no beginning or end part. */
const LEAST_DAYS = 6
const DAY_MS = 86_400_000

type Reader = (text: string) => PhraseSpan | undefined

/** `whole` reads the surrounding time, `numberOf` a number word. */
export function partOfTime(said: string, calendar: PhraseCalendar, read: { whole: Reader; numberOf(word: string): number }) {
  const [, nth, count, unit = '', rest = ''] = NTH.exec(said) ?? []
  if (nth !== undefined) {
    const within = read.whole(rest)
    return within && nthOf(dated(within, calendar), { nth, count: count === undefined ? 1 : read.numberOf(count), unit })
  }
  const [, part, longer = ''] = PART.exec(said) ?? []
  const within = part === undefined ? undefined : read.whole(longer)
  return within && part !== undefined ? thirdOf(dated(within, calendar), part) : undefined
}

interface Dated extends PhraseSpan {
  readonly length: number
  readonly first: { readonly year: number; readonly month: number; readonly day: number }
  at(day: number): number
  atMonth(month: number): number
}

function dated({ from, to }: PhraseSpan, calendar: PhraseCalendar): Dated {
  const first = calendarDay(from, calendar)
  const { year, month, day } = first
  return {
    ...{ from, to, first, length: Math.round((to - from) / DAY_MS) },
    at: (off) => calendar.at(year, month, day + off),
    atMonth: (off) => calendar.at(year, month + off, day),
  }
}

interface Nth {
  readonly nth: string
  readonly count: number
  readonly unit: string
}

function nthOf({ from, to, length, first, at, atMonth }: Dated, { nth, count, unit }: Nth): PhraseSpan | undefined {
  const isLast = nth === 'last' || nth === 'final'
  const index = ORDINALS.findIndex((name, i) => nth === name || nth.startsWith(String(i + 1)))
  const within = (start: number, days: number) =>
    start < 0 || start >= length ? undefined : { from: at(start), to: Math.min(at(start + days), to) }
  const parts = { half: 2, third: 3, quarter: 4 }[unit]
  if (parts !== undefined) {
    const at_ = isLast ? parts - 1 : index
    if (at_ >= parts || count !== 1) return undefined
    if (length > 360) return { from: atMonth((12 / parts) * at_), to: atMonth((12 / parts) * (at_ + 1)) }
    const edge = (i: number) => (i === parts ? to : at(Math.floor((length / parts) * i)))
    return { from: edge(at_), to: edge(at_ + 1) }
  }
  if (unit.startsWith('weekend') || WEEKDAYS.includes(unit)) {
    const wanted = unit.startsWith('weekend') ? 6 : WEEKDAYS.indexOf(unit)
    const days = unit.startsWith('weekend') ? 2 : 1
    const ahead = (wanted - new Date(Date.UTC(first.year, first.month - 1, first.day)).getUTCDay() + 7) % 7
    const start = isLast ? ahead + 7 * Math.floor((length - 1 - ahead) / 7) : ahead + 7 * index
    return start < length ? { from: at(start), to: at(start + days) } : undefined
  }
  const days = count * (unit.startsWith('week') ? 7 : 1)
  return isLast ? (days <= length ? { from: at(length - days), to } : { from, to }) : within(index * days, days)
}

/** A month splits at the 10th and 20th, a year into four-month parts, others into thirds. */
function thirdOf({ from, to, length, at, atMonth }: Dated, part: string): PhraseSpan | undefined {
  if (length < LEAST_DAYS) return undefined
  const third = length >= 28 && length <= 31 ? 10 : Math.floor(length / 3)
  const [one, two] = length > 360 ? [atMonth(4), atMonth(8)] : [at(third), at(2 * third)]
  if (/^(?:early|beginning|start)/.test(part)) return { from, to: one }
  return part.startsWith('mid') ? { from: one, to: two } : { from: two, to }
}

/** Date of a midnight in the owner's zone; searches around the UTC date. */
export function calendarDay(midnight: number, { at }: PhraseCalendar): { year: number; month: number; day: number } {
  const near = new Date(midnight)
  for (const off of [0, 1, -1]) {
    const date = new Date(Date.UTC(near.getUTCFullYear(), near.getUTCMonth(), near.getUTCDate() + off))
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
    if (at(year, month, day) === midnight) return { year, month, day }
  }
  return { year: near.getUTCFullYear(), month: near.getUTCMonth() + 1, day: near.getUTCDate() }
}
