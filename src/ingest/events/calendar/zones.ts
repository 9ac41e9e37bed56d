/** IANA names are resolved by the system, others by the calendar's VTIMEZONE. */
import ICAL from 'ical.js'
import { findIana } from 'windows-iana'

export interface Zone {
  readonly name: string
  /** Milliseconds ahead of UTC. */
  offsetAt(utc: number): number
  /** An ambiguous time is the first one; a time in a gap uses the offset before it. */
  utcOf(wall: number): number
}

export type Zones = ReadonlyMap<string, unknown>

const DAY = 86_400_000

export const UTC: Zone = { name: 'UTC', offsetAt: () => 0, utcOf: (wall) => wall }

export function zoneCalled(tzid: string, zones: Zones): Zone | undefined {
  const name = tzid.trim().replace(/^"(.*)"$/, '$1')
  const iana = ianaName(name)
  if (iana !== undefined) return ianaZone(iana)
  const definition = zones.get(tzid) ?? zones.get(name)
  return (definition === undefined ? undefined : definedZone(name, definition)) ?? describedZone(name)
}

const offsets = new Map<string, Zone>()

/** `(UTC-05:00) Eastern Time (US & Canada)`, `(GMT+10:00) Canberra, Melbourne, Sydney`, `UTC+01`. Falls back to the offset. */
function describedZone(name: string): Zone | undefined {
  const written = /^\(?\s*(?:UTC|GMT)\s*(?:([+-])?\s*(\d{1,2})(?::?(\d\d))?)?\s*\)?\s*(.*)$/i.exec(name)
  const place = (written?.[4] ?? name).trim()
  const [american] = findIana(place.replace(/ Time \(US (?:&|and) Canada\)$/i, ' Standard Time'))
  const iana = american ?? cityZone(place)
  if (iana !== undefined) return ianaZone(iana)
  if (written?.[2] === undefined) return undefined
  const minutes = (written[1] === '-' ? -1 : 1) * (Number(written[2]) * 60 + Number(written[3] ?? 0))
  if (Math.abs(minutes) > 14 * 60) return undefined
  const zone = offsets.get(name) ?? zoneOf(name, () => minutes * 60_000)
  offsets.set(name, zone)
  return zone
}

function cityZone(place: string): string | undefined {
  if (!place.includes(',')) return undefined
  const cities = place.split(',').map((city) => city.trim().replaceAll(' ', '_'))
  for (const city of cities) {
    const zone = Intl.supportedValuesOf('timeZone').find((one) => one.endsWith(`/${city}`))
    if (zone !== undefined) return zone
  }
  return undefined
}

/** Also handles `/freeassociation.sourceforge.net/Europe/Berlin`, Exchange and Windows names. */
export function ianaName(tzid: string): string | undefined {
  if (/^(?:UTC|GMT|Z|Etc\/UTC|tzone:\/\/Microsoft\/Utc)$/i.test(tzid)) return 'UTC'
  const [windows] = findIana(tzid)
  if (windows !== undefined) return windows
  const parts = tzid.split('/').filter((part) => part !== '')
  for (const count of [3, 2, 1]) {
    const name = parts.slice(-count).join('/')
    // A single word counts only alone: "Berlin" is no zone, and "EST" below a path is custom.
    if (name !== '' && (count > 1 || parts.length === 1) && isIana(name)) return name
  }
  return undefined
}

const known = new Map<string, boolean>()

function isIana(name: string): boolean {
  let is = known.get(name)
  if (is === undefined) {
    // The system accepts offsets as zones, but they ignore summer time.
    is = !/^[+-]?\d/.test(name) && isFormat(name)
    known.set(name, is)
  }
  return is
}

function isFormat(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone })
    return true
  } catch {
    return false
  }
}

const ianaZones = new Map<string, Zone>()

export function ianaZone(name: string): Zone {
  const made = ianaZones.get(name) ?? (name === 'UTC' ? UTC : zoneOf(name, ianaOffset(name)))
  ianaZones.set(name, made)
  return made
}

function zoneOf(name: string, offsetAt: (utc: number) => number): Zone {
  return {
    name,
    offsetAt,
    utcOf(wall) {
      const before = offsetAt(wall - DAY)
      const after = offsetAt(wall + DAY)
      const early = wall - before
      if (before === after || offsetAt(early) === before) return early
      const late = wall - after
      return offsetAt(late) === after ? late : early
    },
  }
}

/** Formatting is slow, so a day with equal offsets at both ends is cached. */
function ianaOffset(timeZone: string): (utc: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric', era: 'short' },
  })
  const ask = (utc: number): number => {
    const found: Record<string, string> = {}
    for (const { type, value } of format.formatToParts(utc)) found[type] = value
    const year = found.era === 'BC' ? 1 - Number(found.year) : Number(found.year)
    const at = new Date(0)
    at.setUTCFullYear(year, Number(found.month) - 1, Number(found.day))
    at.setUTCHours(Number(found.hour), Number(found.minute), Number(found.second))
    return at.getTime() - Math.floor(utc / 1000) * 1000
  }
  const starts = new Map<number, number>()
  const startOf = (day: number): number => {
    const offset = starts.get(day) ?? ask(day * DAY)
    starts.set(day, offset)
    return offset
  }
  return (utc) => {
    const day = Math.floor(utc / DAY)
    const offset = startOf(day)
    return offset === startOf(day + 1) ? offset : ask(utc)
  }
}

const defined = new WeakMap<object, Zone | 'unreadable'>()

/** From the calendar's VTIMEZONE, parsed once. */
function definedZone(name: string, definition: unknown): Zone | undefined {
  if (typeof definition !== 'object' || definition === null) return undefined
  const made = defined.get(definition) ?? madeZone(name, definition) ?? 'unreadable'
  defined.set(definition, made)
  return made === 'unreadable' ? undefined : made
}

/** Only yearly rules: anything else is no time zone and could expand endlessly. */
const MOST_CHANGES = 500
const isYearly = (rule: unknown): boolean => {
  const { freq, interval = 1, parts = {} } = rule as { freq?: unknown; interval?: unknown; parts?: Record<string, readonly unknown[]> }
  const few = ['BYMONTH', 'BYDAY'].every((part) => (parts[part] ?? []).length <= 1)
  return (
    freq === 'YEARLY' && interval === 1 && few && !['BYHOUR', 'BYMINUTE', 'BYSECOND', 'BYSETPOS'].some((part) => parts[part] !== undefined)
  )
}

function madeZone(name: string, definition: object): Zone | undefined {
  const component = new ICAL.Component(definition as ICAL.Component['jCal'])
  const location = component.getFirstPropertyValue('x-lic-location')
  const iana = typeof location === 'string' ? ianaName(location) : undefined
  if (iana !== undefined) return ianaZone(iana)
  const changes = component.getAllSubcomponents()
  if (changes.length === 0 || changes.length > MOST_CHANGES) return undefined
  if (!changes.every((change) => change.getAllProperties('rrule').every((rule) => isYearly(rule.getFirstValue())))) return undefined
  const zone = new ICAL.Timezone({ component, tzid: name })
  return zoneOf(name, (utc) => {
    zone.utcOffset(timeOf(utc)) // expands the rules up to this year
    return offsetAfter(zone.changes as readonly Change[], utc)
  })
}

/** ical.js's transition: UTC time, and offsets in seconds before and after. */
interface Change extends Pick<ICAL.Time, 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'> {
  readonly utcOffset: number
  readonly prevUtcOffset: number
}

/** ical.js's own lookup takes local time: it is wrong around transitions, and returns UTC before the first. */
function offsetAfter(changes: readonly Change[], utc: number): number {
  let [from, to] = [0, changes.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (instantOf(changes[middle] as Change) <= utc) from = middle + 1
    else to = middle
  }
  const last = changes[from - 1]
  return (last === undefined ? (changes[0]?.prevUtcOffset ?? 0) : last.utcOffset) * 1000
}

function instantOf({ year, month, day, hour, minute, second }: Change): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000
}

/** Floating time, in which rules are expanded. */
export function timeOf(wall: number, isDate = false): ICAL.Time {
  const at = new Date(wall)
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
  const clock = isDate ? {} : { hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds() }
  return new ICAL.Time({ year, month, day, ...clock, isDate }, ICAL.Timezone.localTimezone)
}
