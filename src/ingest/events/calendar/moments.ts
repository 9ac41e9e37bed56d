/** The times of an entry: what a clock shows, where that clock is, and when that is. */
import { all, type Entry, first, type Property, parameter, text } from './entry.ts'
import { ianaName, ianaZone, UTC, type Zone, zoneCalled } from './zones.ts'

/** A day, or a time of a day. */
export interface Moment {
  /** What the clock shows, as if it were UTC. Of a day: its midnight. */
  readonly wall: number
  readonly isDate: boolean
  readonly zone: Zone
  /** No zone is written with it. */
  readonly floating: boolean
}

export interface Zoned {
  readonly entry: Pick<Entry, 'calendar' | 'zones'>
  /** Where the owner is. */
  readonly timezone: string
}

const WRITTEN = /^(-?\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2})?:?(\d{2})?:?(\d{2})?(?:\.\d+)?(Z)?)?/i

/** Undefined where it is no time: `20260230`, or text. */
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

/** Zones that are named and known to nobody: their times are read as the calendar's own. */
export function unknownZones({ properties, zones }: Pick<Entry, 'properties' | 'zones'>): string[] {
  const named = properties.flatMap((property) => parameter(property, 'tzid') ?? [])
  return [...new Set(named)].filter((tzid) => zoneCalled(tzid, zones) === undefined)
}

export function utcOf({ wall, zone }: Moment): number {
  return zone.utcOf(wall)
}

/** Every time of a property with its end where it has one: RDATE may give a period. */
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

/** The first value of a property. */
export function moment(entry: Entry, name: string, timezone: string): Moment | undefined {
  const property = first(entry, name)
  return property === undefined ? undefined : momentOf(property[3], property, { entry, timezone })
}

const DURATION = /^([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i

/** Milliseconds of `PT1H30M`. */
function durationOf(written: unknown): number | undefined {
  const match = DURATION.exec(String(written).trim())
  if (match === null) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(2).map((part) => Number(part ?? 0))
  return (match[1] === '-' ? -1 : 1) * ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}

/**
 * How long an entry lasts, in milliseconds of the clock on the wall for days, of time otherwise. Without an end a day lasts a day, and a time no
 * time; an end before the start is none.
 */
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

/** How a part of a series is called: the slot that it stands for, in UTC or as a day. */
export function slotName(at: Moment): string {
  return at.isDate ? dayName(at.wall) : `${new Date(utcOf(at)).toISOString().replace(/[-:]|\.\d+/g, '')}`
}

export function dayName(wall: number): string {
  return new Date(wall).toISOString().slice(0, -14).replaceAll('-', '')
}

export const hasRule = (entry: Entry): boolean => all(entry, 'rrule').length > 0 || all(entry, 'rdate').length > 0
