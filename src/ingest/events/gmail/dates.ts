/** A mail's time: Date header, else the receiving server, else the mbox separator. */

const EARLIEST = Date.UTC(1971, 0, 1)
const LATEST = Date.UTC(2200, 0, 1)
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
/** Obsolete zone names, in hours. */
const ZONES: Readonly<Record<string, number>> = {
  UT: 0,
  UTC: 0,
  GMT: 0,
  Z: 0,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
}
const RFC =
  /(\d{1,2})[ \t-]+([a-z]{3})[a-z]*[ \t.,-]+(\d{2,4})[ \t,]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\.\d+)?[ \t]*([+-]\d{4}|[a-z]{1,5})?/i
/** Separator dates: `Tue Aug 08 12:36:29 +0000 2023`, also with the year first or without a zone. */
const ASCTIME = /([a-z]{3}) +(\d{1,2}) +(\d{2}):(\d{2})(?::(\d{2}))? +(?:([+-]\d{4}|[a-z]{1,5}) +)?(\d{4})(?: +([+-]\d{4}))?/i

export function mailTime(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const rfc = RFC.exec(value)
  if (rfc !== null) {
    const [, day, month, year, hour, minute, second, zone] = rfc
    return time({ day, month, year, hour, minute, second, zone })
  }
  const iso = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/.exec(value)?.[0]
  if (iso !== undefined) return within(Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`))
  return separatorTime(value)
}

export function separatorTime(line: string | undefined): number | undefined {
  const match = line === undefined ? null : ASCTIME.exec(line)
  if (match === null) return undefined
  const [, month, day, hour, minute, second, before, year, after] = match
  return time({ day, month, year, hour, minute, second, zone: before ?? after })
}

export function receivedTime(value: string | undefined): number | undefined {
  return value === undefined ? undefined : mailTime(value.slice(value.lastIndexOf(';') + 1))
}

type Field = string | undefined
interface Fields {
  readonly day: Field
  readonly month: Field
  readonly year: Field
  readonly hour: Field
  readonly minute: Field
  readonly second: Field
  readonly zone: Field
}

function time({ day, month, year, hour, minute, second, zone }: Fields): number | undefined {
  const number = MONTHS.indexOf((month ?? '').slice(0, 3).toLowerCase())
  const [d, h, m, s] = [Number(day), Number(hour), Number(minute), Number(second ?? 0)]
  if (number === -1 || d < 1 || d > 31 || h > 24 || m > 59 || s > 60) return undefined
  return within(Date.UTC(fullYear(year ?? ''), number, d, h, m, s) - minutesOf(zone) * 60_000)
}

/** RFC 5322 rules for short years. */
function fullYear(text: string): number {
  const year = Number(text)
  if (text.length === 2) return year < 50 ? 2000 + year : 1900 + year
  return text.length === 3 ? 1900 + year : year
}

function minutesOf(zone: Field): number {
  if (zone === undefined) return 0
  const offset = /^([+-])(\d\d)(\d\d)$/.exec(zone)
  if (offset === null) return (ZONES[zone.toUpperCase()] ?? 0) * 60
  const minutes = Number(offset[2]) * 60 + Number(offset[3])
  return minutes > 24 * 60 ? 0 : offset[1] === '-' ? -minutes : minutes
}

function within(ms: number): number | undefined {
  return ms >= EARLIEST && ms < LATEST ? ms : undefined
}
