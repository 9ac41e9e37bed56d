/** Which zone a time of a calendar is in. Names of the IANA are read by the system's own rules; only what has no such name is read by the calendar's. */
import ICAL from 'ical.js'
import { findIana } from 'windows-iana'

/** A zone: its name for people, and when a wall clock of it shows something. */
export interface Zone {
  readonly name: string
  /** Milliseconds that its clocks are ahead of UTC at this time. */
  offsetAt(utc: number): number
  /** The same where only what its clocks show is known; times that happen twice are the first, those that never happen are read as before the gap. */
  utcOf(wall: number): number
}

/** The definitions of one calendar, by the names that it gives them. */
export type Zones = ReadonlyMap<string, unknown>

const DAY = 86_400_000

export const UTC: Zone = { name: 'UTC', offsetAt: () => 0, utcOf: (wall) => wall }

/** Undefined where nobody knows it: neither the IANA, nor Windows, nor the calendar. */
export function zoneCalled(tzid: string, zones: Zones): Zone | undefined {
  const name = tzid.trim().replace(/^"(.*)"$/, '$1')
  const iana = ianaName(name)
  if (iana !== undefined) return ianaZone(iana)
  const definition = zones.get(tzid) ?? zones.get(name)
  return (definition === undefined ? undefined : definedZone(name, definition)) ?? describedZone(name)
}

const offsets = new Map<string, Zone>()

/** `(UTC-05:00) Eastern Time (US & Canada)`, `(GMT+10:00) Canberra, Melbourne, Sydney`, `UTC+01`: where no place is known, the offset is. */
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

/** Of a list of cities the first that a zone is named after. */
function cityZone(place: string): string | undefined {
  if (!place.includes(',')) return undefined
  const cities = place.split(',').map((city) => city.trim().replaceAll(' ', '_'))
  for (const city of cities) {
    const zone = Intl.supportedValuesOf('timeZone').find((one) => one.endsWith(`/${city}`))
    if (zone !== undefined) return zone
  }
  return undefined
}

/** Also `/freeassociation.sourceforge.net/Europe/Berlin`, `(UTC+01:00) Berlin…` of Exchange, and the names of Windows. */
export function ianaName(tzid: string): string | undefined {
  if (/^(?:UTC|GMT|Z|Etc\/UTC|tzone:\/\/Microsoft\/Utc)$/i.test(tzid)) return 'UTC'
  const [windows] = findIana(tzid)
  if (windows !== undefined) return windows
  const parts = tzid.split('/').filter((part) => part !== '')
  for (const count of [3, 2, 1]) {
    const name = parts.slice(-count).join('/')
    // A single word is a name only where it is all that is written: "Berlin" is none, and "EST" below a path is somebody's own.
    if (name !== '' && (count > 1 || parts.length === 1) && isIana(name)) return name
  }
  return undefined
}

const known = new Map<string, boolean>()

function isIana(name: string): boolean {
  let is = known.get(name)
  if (is === undefined) {
    // Offsets are zones for the system too, and say nothing of summer.
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
    return false // an unknown name is what is asked about
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

/** Formatting is slow and a series asks for thousands of days: a day that begins and ends alike is asked about once. */
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

/** By the VTIMEZONE of the calendar itself, which is followed once. */
function definedZone(name: string, definition: unknown): Zone | undefined {
  if (typeof definition !== 'object' || definition === null) return undefined
  const made = defined.get(definition) ?? madeZone(name, definition) ?? 'unreadable'
  defined.set(definition, made)
  return made === 'unreadable' ? undefined : made
}

/** Clocks change once or twice a year: a definition of anything else is no zone, and following it would not end. */
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
    zone.utcOffset(timeOf(utc)) // follows its rules as far as this year
    return offsetAfter(zone.changes as readonly Change[], utc)
  })
}

/** One change of a zone's clocks, as the library keeps it: when it is in UTC, and seconds ahead of UTC before and after. */
interface Change extends Pick<ICAL.Time, 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'> {
  readonly utcOffset: number
  readonly prevUtcOffset: number
}

/**
 * By the changes themselves: the library's own answer is for what a clock shows, and is another hour's where that clock skips an hour or shows one
 * twice, and UTC before the first change.
 */
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

/** A time without a zone, which is what rules are followed in. */
export function timeOf(wall: number, isDate = false): ICAL.Time {
  const at = new Date(wall)
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
  const clock = isDate ? {} : { hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds() }
  return new ICAL.Time({ year, month, day, ...clock, isDate }, ICAL.Timezone.localTimezone)
}
