import { all, type Entry, first, type Property, parameter, text } from './entry.ts'
import { ianaName, ianaZone, UTC, type Zone, zoneCalled } from './zones.ts'

export interface Moment {
  /** Local time encoded as UTC; midnight for a date. */
  readonly wall: number
  readonly isDate: boolean
  readonly zone: Zone
  readonly floating: boolean
}

export interface Zoned {
  readonly entry: Pick<Entry, 'calendar' | 'zones'>
  readonly timezone: string
}

const WRITTEN = /^(-?\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2})?:?(\d{2})?:?(\d{2})?(?:\.\d+)?(Z)?)?/i

/** Undefined if invalid, such as `20260230`. */
export function momentOf(written: unknown, property: Property, zoned: Zoned): Moment | undefined {
  const match = typeof written === 'string' ? WRITTEN.exec(written) : null
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number)
  const date = new Date(Date.UTC(2000, month - 1, day))
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const isDate = match[4] === undefined || parameter(property, 'value')?.toUpperCase() === 'DATE' || property[2] === 'date'
  if (isDate) return { wall: date.getTime(), isDate, zone: defaultZone(zoned), floating: true }
  const [hour = 0, minute = 0, second = 0] = match.slice(4, 7).map((part) => Number(part ?? 0))
  if (hour > 24 || minute > 59 || second > 60) return undefined
  const wall = date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000
  if (match[7] !== undefined) return { wall, isDate, zone: UTC, floating: false }
  const tzid = parameter(property, 'tzid')
  const zone = tzid === undefined ? undefined : zoneCalled(tzid, zoned.entry.zones)
  return { wall, isDate, zone: zone ?? defaultZone(zoned), floating: tzid === undefined }
}

function defaultZone({ entry: { calendar, zones }, timezone }: Zoned): Zone {
  const own = calendar.zone === undefined ? undefined : zoneCalled(calendar.zone, zones)
  return own ?? ianaZone(ianaName(timezone) ?? 'UTC')
}

/** Unresolvable zone names; such times use the calendar's zone. */
export function unknownZones({ properties, zones }: Pick<Entry, 'properties' | 'zones'>): string[] {
  const named = properties.flatMap((property) => parameter(property, 'tzid') ?? [])
  return [...new Set(named)].filter((tzid) => zoneCalled(tzid, zones) === undefined)
}

export function utcOf({ wall, zone }: Moment): number {
  return zone.utcOf(wall)
}

/** RDATE values may be periods with an end. */
export function momentsOf(property: Property, zoned: Zoned): { readonly at: Moment; readonly length?: number }[] {
  return property.slice(3).flatMap((value) => {
    const [start, end] = Array.isArray(value) ? value : [value, undefined]
    const at = momentOf(start, property, zoned)
    if (at === undefined) return []
    const until = end === undefined ? undefined : momentOf(end, property, zoned)
    const length = until === undefined ? (end === undefined ? undefined : durationOf(end)) : utcOf(until) - utcOf(at)
    return [length === undefined ? { at } : { at, length: Math.max(0, length) }]
  })
}

export function moment(entry: Entry, name: string, timezone: string): Moment | undefined {
  const property = first(entry, name)
  return property === undefined ? undefined : momentOf(property[3], property, { entry, timezone })
}

const DURATION = /^([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i

function durationOf(written: unknown): number | undefined {
  const match = DURATION.exec(String(written).trim())
  if (match === null) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(2).map((part) => Number(part ?? 0))
  return (match[1] === '-' ? -1 : 1) * ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}

/** Milliseconds: local for dates, elapsed otherwise. Defaults: one day for a date, zero for a time. Ignores an end before the start. */
export function lengthOf(entry: Entry, start: Moment, timezone: string): number {
  const none = start.isDate ? 86_400_000 : 0
  const end = moment(entry, 'dtend', timezone)
  if (end !== undefined) {
    const length = start.isDate ? end.wall - start.wall : utcOf(end) - utcOf(start)
    return length > 0 ? length : none
  }
  const duration = durationOf(text(entry, 'duration') ?? '')
  return duration === undefined || duration <= 0 ? none : duration
}

/** Name of a series part: its slot in UTC, or as a date. */
export function slotName(at: Moment): string {
  return at.isDate ? dayName(at.wall) : `${new Date(utcOf(at)).toISOString().replace(/[-:]|\.\d+/g, '')}`
}

export function dayName(wall: number): string {
  return new Date(wall).toISOString().slice(0, -14).replaceAll('-', '')
}

export const hasRule = (entry: Entry): boolean => all(entry, 'rrule').length > 0 || all(entry, 'rdate').length > 0
