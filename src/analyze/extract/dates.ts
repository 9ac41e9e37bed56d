/**
 * Resolves dates in a sentence against the message time, in the owner's time zone. Drops impossible ones: nobody has lived somewhere since
 * tomorrow.
 */
import { casual } from 'chrono-node/en'
import { parseWhen, wallClock } from '../../core/time.ts'

export interface When {
  readonly timestamp: number
  readonly timezone: string
}

const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const DATE_WORD = new RegExp(
  `\\b(?:${MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight|yesterday|ago|(?:last|next|this|past) (?:week|weekend|month|year|spring|summer|fall|autumn|winter)|(?:19|20)\\d\\d|\\d{1,2}(?:st|nd|rd|th)|\\d{1,2}[/.]\\d{1,2})\\b`,
  'i',
)
const YEAR_ALONE = /\b(?:in|since|until|till|from|of|back in) ((?:19|20)\d\d)\b/i
const DURATION =
  /\bfor (?:about |over |almost |nearly |the (?:last|past) |more than |around )*(\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty) (day|week|month|year|decade)s?\b/i
const NUMBERS: Readonly<Record<string, number>> = {
  ...{
    a: 1,
    an: 1,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    twelve: 12,
    fifteen: 15,
    twenty: 20,
  },
}
const DAY = 86_400_000
const LONG = { day: DAY, week: 7 * DAY, month: 30.44 * DAY, year: 365.25 * DAY, decade: 3652.5 * DAY } as const
const OLDEST = 120 * 365.25 * DAY

export interface SaidDate {
  /** As precise as stated: `1968-05-15`, `05-15`, `2026-03`, `1990`. */
  readonly iso: string
  /** Start of the day in the owner's time zone. Without a year: of the nearest such day. */
  readonly ms: number
}

/** `ahead`: without a year, takes the next such date. */
export function dateIn(text: string, { timestamp, timezone }: When, ahead: boolean): SaidDate | undefined {
  const year = YEAR_ALONE.exec(text)?.[1]
  if (!DATE_WORD.test(text)) return undefined
  const reference = { instant: new Date(timestamp), timezone: offsetMinutes(timestamp, timezone) }
  const found = casual
    .parse(text, reference, { forwardDate: ahead })
    .find(({ start }) => start.isCertain('month') || start.isCertain('day') || start.isCertain('weekday'))
  if (found === undefined) return year === undefined ? undefined : at(`${year}-01-01`, year, timezone)
  const { start } = found
  const [y, m, d] = [start.get('year'), start.get('month'), start.get('day')]
  if (y === null || m === null || d === null) return undefined
  const day = `${String(y).padStart(4, '0')}-${two(m)}-${two(d)}`
  const relative = !start.isCertain('month') || /\b(?:ago|last|next|this|today|tomorrow|yesterday|tonight|day)\b/i.test(found.text)
  const hasDay =
    start.isCertain('day') || start.isCertain('weekday') || /\b(?:today|tomorrow|yesterday|tonight|days? ago)\b/i.test(found.text)
  const iso = start.isCertain('year') || relative ? (hasDay ? day : day.slice(0, 7)) : hasDay ? day.slice(5) : day.slice(0, 7)
  return at(hasDay ? day : `${day.slice(0, 7)}-01`, iso, timezone)
}

export function sinceIn(text: string, when: When): number | undefined {
  const [, count = '', unit = ''] = DURATION.exec(text) ?? []
  const many = NUMBERS[count.toLowerCase()] ?? Number(count)
  const ms = unit !== '' && many > 0 ? when.timestamp - many * LONG[unit.toLowerCase() as keyof typeof LONG] : lastSaid(text, when)
  return ms !== undefined && ms <= when.timestamp && ms > when.timestamp - OLDEST ? Math.round(ms) : undefined
}

/** "Since March", said in January, is March of last year. */
function lastSaid(text: string, when: When): number | undefined {
  const said = dateIn(text, when, false)
  if (said === undefined || said.ms <= when.timestamp || /\b(?:19|20)\d\d\b|\bnext\b|\btomorrow\b/i.test(text)) return said?.ms
  const before = new Date(said.ms)
  before.setUTCFullYear(before.getUTCFullYear() - 1)
  return before.getTime()
}

export function fromIn(text: string, when: When): number | undefined {
  const ms = dateIn(text, when, true)?.ms
  return ms !== undefined && ms > when.timestamp - DAY && ms < when.timestamp + OLDEST ? ms : undefined
}

function at(day: string, iso: string, timezone: string): SaidDate | undefined {
  const real = !Number.isNaN(Date.parse(`${day}T00:00:00Z`))
  return real ? { iso, ms: parseWhen(day, { timezone, now: 0 }) } : undefined
}

function offsetMinutes(ms: number, timezone: string): number {
  const { day, time } = wallClock(ms, timezone)
  return Math.round((Date.parse(`${day}T${time}Z`) - ms) / 60_000)
}

function two(n: number): string {
  return String(n).padStart(2, '0')
}
