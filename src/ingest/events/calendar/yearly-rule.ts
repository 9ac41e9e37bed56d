/** ical.js miscomputes some yearly rules: 29 February, week numbers, days missing in some months. So this tests every day of a year. */
const DAY = 86_400_000
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** jCal: a single value or a list. */
export type Rule = Readonly<Record<string, unknown>>

export function isOwnYearly(rule: Rule): boolean {
  if (rule.freq !== 'YEARLY') return false
  return rule.byhour === undefined && rule.byminute === undefined && rule.bysecond === undefined
}

/** Local times from `start` to the year of `last`. The caller applies COUNT and UNTIL. */
export function* yearly(rule: Rule, start: number, last: number): Generator<number> {
  const matches = dayMatcher(withDefaults(rule, start))
  const lastYear = new Date(last).getUTCFullYear()
  const interval = Math.max(1, Number(rule.interval ?? 1))
  const positions = numbers(rule.bysetpos)
  const clock = ((start % DAY) + DAY) % DAY
  for (let year = new Date(start).getUTCFullYear(); year <= lastYear; year += interval) {
    const days: number[] = []
    for (let day = Date.UTC(year, 0, 1); day < Date.UTC(year + 1, 0, 1); day += DAY) if (matches(day)) days.push(day)
    const chosen = positions.length === 0 ? days : days.filter((_, i) => positions.some((at) => at === i + 1 || at === i - days.length))
    for (const day of chosen) if (day + clock >= start) yield day + clock
  }
}

function withDefaults(rule: Rule, start: number): Rule {
  const date = new Date(start)
  const says = (...parts: string[]) => parts.some((part) => rule[part] !== undefined)
  if (says('byweekno') && !says('byday', 'byyearday', 'bymonthday')) return { ...rule, byday: WEEKDAYS[date.getUTCDay()] }
  if (says('byweekno', 'byday', 'byyearday', 'bymonthday')) return rule
  return { ...rule, bymonth: rule.bymonth ?? date.getUTCMonth() + 1, bymonthday: date.getUTCDate() }
}

function dayMatcher(rule: Rule): (day: number) => boolean {
  const first = WEEKDAYS.indexOf(typeof rule.wkst === 'string' ? rule.wkst : (WEEKDAYS[Number(rule.wkst ?? 2) - 1] ?? 'MO'))
  const [months, monthDays, weeks, yearDays] = [rule.bymonth, rule.bymonthday, rule.byweekno, rule.byyearday].map(numbers) as [
    ...[number[], number[], number[], number[]],
  ]
  const weekdays = list(rule.byday).map((day) => /^([+-]?\d+)?([A-Z]{2})$/.exec(String(day)))
  const has = (wanted: readonly number[], at: number, of: number) =>
    wanted.length === 0 || wanted.includes(at) || wanted.includes(at - of - 1)
  return (day) => {
    const date = new Date(day)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
    const ofMonth = (Date.UTC(year, month + 1, 1) - Date.UTC(year, month, 1)) / DAY
    const ofYear = (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / DAY
    const inYear = (day - Date.UTC(year, 0, 1)) / DAY + 1
    if (months.length > 0 && !months.includes(month + 1)) return false
    if (!has(monthDays, date.getUTCDate(), ofMonth) || !has(yearDays, inYear, ofYear)) return false
    if (weeks.length > 0 && !has(weeks, ...weekOf(day, Math.max(0, first)))) return false
    const [at, of] = months.length > 0 ? [date.getUTCDate(), ofMonth] : [inYear, ofYear]
    return weekdays.length === 0 || weekdays.some((weekday) => isWeekday(weekday, date.getUTCDay(), { at, of }))
  }
}

function isWeekday(weekday: RegExpExecArray | null, day: number, { at, of }: { at: number; of: number }): boolean {
  if (weekday?.[2] !== WEEKDAYS[day]) return false
  const nth = Number(weekday?.[1] ?? 0)
  return nth === 0 || nth === Math.ceil(at / 7) || nth === -Math.ceil((of - at + 1) / 7)
}

/** Week number, and weeks in that week's year. Week 1 has at least four days of January. */
function weekOf(day: number, first: number): [number: number, of: number] {
  const begin = day - ((new Date(day).getUTCDay() - first + 7) % 7) * DAY
  const year = new Date(begin + 3 * DAY).getUTCFullYear()
  const firstOf = (of: number) => {
    const fourth = Date.UTC(of, 0, 4)
    return fourth - ((new Date(fourth).getUTCDay() - first + 7) % 7) * DAY
  }
  return [(begin - firstOf(year)) / DAY / 7 + 1, (firstOf(year + 1) - firstOf(year)) / DAY / 7]
}

function list(value: unknown): unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

function numbers(value: unknown): number[] {
  return list(value).map(Number)
}
