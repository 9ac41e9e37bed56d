/** Times: milliseconds UTC inside, the owner's zone for people. Zones come from Intl only. */
import { MnemonicError } from './error.ts'
import { plural } from './text.ts'
import { type PhraseCalendar, phraseSpan } from './time-phrase.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const EARLIEST = Date.UTC(1990, 0, 1)
const LATEST = Date.UTC(2201, 0, 1)

/** Month 1–12. Fields may overflow (day 0, month 13); `toEpoch` carries over. */
interface Wall {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly ms: number
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/** ISO text, or seconds or milliseconds since 1970; undefined for other values and absurd years. */
export function parseTimestamp(value: unknown): number | undefined {
  let ms: number | undefined
  if (typeof value === 'number') ms = fromNumber(value)
  else if (typeof value === 'string') {
    const text = value.trim()
    ms = fromOwnForm(text) ?? (/^\d{9,16}(?:\.\d{1,9})?$/.test(text) ? fromNumber(Number(text)) : fromIso(text))
  } else if (value instanceof Date) ms = value.getTime()
  return ms !== undefined && ms >= EARLIEST && ms < LATEST ? ms : undefined
}

/** Seconds have 10 digits now, milliseconds 13; no valid time lies between. */
function fromNumber(value: number): number {
  return Math.trunc(value < 1e11 ? value * 1000 : value)
}

/** Fast path without a pattern: `2026-02-05T10:30:00.000Z`, the form of most sources. */
function fromOwnForm(text: string): number | undefined {
  if (text.length !== 24) return undefined
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && toIso(ms) === text ? ms : undefined
}

function fromIso(text: string): number | undefined {
  const match = ISO.exec(text)
  const wall = match === null ? undefined : wallOf(match)
  return wall === undefined ? undefined : asUtc(wall) - offsetOf(match?.[8])
}

/** Undefined for February 30 and the like. */
function wallOf(match: RegExpExecArray): Wall | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part) => Number(part ?? 0))
  const ms = Math.trunc(Number(`0.${match[7] ?? 0}`) * 1000)
  const date = new Date(Date.UTC(year, month - 1, day))
  const realDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return realDay && hour < 24 && minute < 60 && second < 61 ? { year, month, day, hour, minute, second, ms } : undefined
}

function offsetOf(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0
  const digits = zone.replace(/\D/g, '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (zone.startsWith('-') ? -minutes : minutes) * MINUTE
}

function asUtc(wall: Wall): number {
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second, wall.ms)
}

export function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : toIso(ms)
}

export function ago(ms: number, now: number): string {
  const gap = Math.abs(now - ms)
  if (gap < MINUTE) return 'just now'
  const text = span(gap)
  return ms > now ? `in ${text}` : `${text} ago`
}

function span(gap: number): string {
  const days = Math.floor(gap / DAY)
  if (gap < HOUR) return plural(Math.floor(gap / MINUTE), 'minute')
  if (gap < DAY) return plural(Math.floor(gap / HOUR), 'hour')
  if (days < 14) return plural(days, 'day')
  if (days < 61) return plural(Math.floor(days / 7), 'week')
  if (days < 730) return plural(Math.floor(days / 30.44), 'month')
  return plural(Math.floor(days / 365.25), 'year')
}

const RELATIVE = /^(\d{1,7}|an?)\s*(minute|min|m|hour|hr|h|day|d|week|w|month|mo|year|yr|y)s?(\s+ago)?$/
const ACCEPTED =
  "2026-02-05, '2026-02-05 10:30', 2026-02-05T10:30Z, today, yesterday, '3 days ago', 'last week', 'last Tuesday', 'mid January', 'Q1 2026', 'week of the 3rd', 7d or 12h"

/** For `--after` and `--before`: the start of a span. Without an offset, in the owner's zone. */
export function parseWhen(input: string, options: { timezone: string; now: number }): number {
  const text = input.trim().toLowerCase()
  const when = relativeWhen(text, options) ?? absoluteWhen(text, options.timezone) ?? phraseSpan(text, calendarOf(options))?.from
  if (when !== undefined && Number.isFinite(when)) return when
  throw new MnemonicError('USAGE', `not a date or time: ${JSON.stringify(input.slice(0, 100))}`, {
    details: { value: input.slice(0, 100) },
    hint: `Write it like one of: ${ACCEPTED}.`,
  })
}

/** For `--as-of`: the end of a day or span, since that day counts. */
export function parseAsOf(input: string, options: { timezone: string; now: number }): number {
  const text = input.trim().toLowerCase()
  const span = text === 'now' ? undefined : phraseSpan(text, calendarOf(options))
  return span === undefined ? parseWhen(input, options) : span.to - 1
}

export function calendarOf({ timezone, now }: { timezone: string; now: number }): PhraseCalendar {
  const { year, month, day } = wallAt(now, timezone)
  const midnight = { hour: 0, minute: 0, second: 0, ms: 0 }
  return { year, month, day, at: (y, m, d) => toEpoch({ year: y, month: m, day: d, ...midnight }, timezone) }
}

function absoluteWhen(text: string, timezone: string): number | undefined {
  const match = ISO.exec(text)
  const wall = match === null ? undefined : wallOf(match)
  if (wall === undefined) return undefined
  const zone = match?.[8]
  return zone === undefined ? toEpoch(wall, timezone) : asUtc(wall) - offsetOf(zone)
}

function relativeWhen(text: string, { timezone, now }: { timezone: string; now: number }): number | undefined {
  if (text === 'now') return now
  const today = { ...wallAt(now, timezone), hour: 0, minute: 0, second: 0, ms: 0 }
  if (text === 'today') return toEpoch(today, timezone)
  if (text === 'yesterday') return toEpoch(back(today, 1, 'd'), timezone)
  const last = /^last (week|month|year)$/.exec(text)
  if (last) return toEpoch(back(today, 1, unitOf(last[1] ?? '')), timezone)
  const match = RELATIVE.exec(text)
  if (!match) return undefined
  const [, count = '', unit = ''] = match
  const n = count.startsWith('a') ? 1 : Number(count)
  const short = unitOf(unit)
  if (short === 'm') return now - n * MINUTE
  if (short === 'h') return now - n * HOUR
  // Longer units keep the hour across clock changes.
  return toEpoch(back(wallAt(now, timezone), n, short), timezone)
}

type Unit = 'm' | 'h' | 'd' | 'w' | 'mo' | 'y'

function unitOf(word: string): Unit {
  return word.startsWith('mo') ? 'mo' : (word.charAt(0) as Unit)
}

function back(wall: Wall, n: number, unit: Unit): Wall {
  if (unit === 'd' || unit === 'w') return { ...wall, day: wall.day - (unit === 'w' ? 7 * n : n) }
  const months = wall.year * 12 + wall.month - 1 - (unit === 'y' ? 12 * n : n)
  const year = Math.floor(months / 12)
  const month = (months % 12) + 1
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return { ...wall, year, month, day: Math.min(wall.day, lastDay) }
}

/** In a repeated hour the first moment; a skipped hour moves by the jump. */
function toEpoch(wall: Wall, timezone: string): number {
  const utc = asUtc(wall)
  const before = zoneOffset(utc - DAY, timezone)
  const after = zoneOffset(utc + DAY, timezone)
  const first = utc - before
  if (before === after || zoneOffset(first, timezone) === before) return first
  const second = utc - after
  return zoneOffset(second, timezone) === after ? second : first
}

function zoneOffset(ms: number, timezone: string): number {
  return asUtc(wallAt(ms, timezone)) - ms
}

function wallAt(ms: number, timezone: string): Wall {
  if (!Number.isFinite(ms) || Math.abs(ms) > 8e15) return { year: Number.NaN, month: 1, day: 1, hour: 0, minute: 0, second: 0, ms: 0 }
  const offset = ms < 0 ? undefined : offsetOfDay(Math.floor(ms / DAY), timezone)
  if (offset === undefined) return formatted(ms, timezone)
  const wall = new Date(ms + offset)
  return {
    ...{ year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() },
    ...{ hour: wall.getUTCHours(), minute: wall.getUTCMinutes(), second: wall.getUTCSeconds(), ms: wall.getUTCMilliseconds() },
  }
}

const offsets = new Map<string, Map<number, number | undefined>>()
const MOST_DAYS = 5000

/** Zone offset for a whole UTC day; undefined if clocks change on it. Cached: Intl is slow. */
function offsetOfDay(day: number, timezone: string): number | undefined {
  const known = offsets.get(timezone) ?? new Map<number, number | undefined>()
  offsets.set(timezone, known)
  if (known.has(day)) return known.get(day)
  const [from, to] = [day * DAY, (day + 1) * DAY].map((ms) => asUtc(formatted(ms, timezone)) - ms)
  const offset = from === to ? from : undefined
  if (known.size >= MOST_DAYS) known.clear()
  known.set(day, offset)
  return offset
}

function formatted(ms: number, timezone: string): Wall {
  const found: Record<string, number> = {}
  for (const part of zoneFormat(timezone).formatToParts(ms)) found[part.type] = Number(part.value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found
  return { year, month, day, hour, minute, second, ms: ((ms % 1000) + 1000) % 1000 }
}

const formats = new Map<string, Intl.DateTimeFormat>()

function zoneFormat(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const format = newFormat(timezone)
  formats.set(timezone, format)
  return format
}

function newFormat(timezone: string): Intl.DateTimeFormat {
  const number = 'numeric'
  const fields = { year: number, month: number, day: number, hour: number, minute: number, second: number } as const
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: timezone, hourCycle: 'h23', ...fields })
  } catch (cause) {
    throw new MnemonicError('CONFIG_INVALID', `unknown time zone: ${timezone}`, {
      details: { key: 'owner.timezone', value: timezone },
      hint: 'Name an IANA zone such as Australia/Melbourne or UTC.',
      cause,
    })
  }
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** 'February 5, 2026 at 10:30 AM'. */
export function formatInZone(ms: number, timezone: string): string {
  const { year, month, day, hour, minute } = wallAt(ms, timezone)
  const clock = `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
  return `${MONTHS[month - 1]} ${day}, ${year} at ${clock}`
}

/** `2026-02-05` and `10:30`. */
export function wallClock(ms: number, timezone: string): { readonly day: string; readonly time: string } {
  const { year, month, day, hour, minute } = wallAt(ms, timezone)
  const two = (value: number) => String(value).padStart(2, '0')
  return { day: `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`, time: `${two(hour)}:${two(minute)}` }
}

export function clockInZone(ms: number, timezone: string): string {
  const { day, time } = wallClock(ms, timezone)
  return `${day} ${time}`
}

/** '… 10:30 AM Melbourne time', '… 10:30 AM UTC'. */
export function formatWithZone(ms: number, timezone: string): string {
  return `${formatInZone(ms, timezone)} ${zoneName(timezone)}`
}

export function zoneName(timezone: string): string {
  const city = timezone.slice(timezone.lastIndexOf('/') + 1).replaceAll('_', ' ')
  return /^(?:UTC|UCT|GMT.*|Z)$/i.test(city) ? city.toUpperCase() : `${city} time`
}
