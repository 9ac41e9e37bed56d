/** Works in local time, so that ten o'clock stays ten in summer. */
import ICAL from 'ical.js'
import { all, type Entry, first, type Property, parameter } from './entry.ts'
import { dayName, lengthOf, type Moment, moment, momentOf, momentsOf, slotName, utcOf } from './moments.ts'
import type { Occurrence } from './record.ts'
import { isOwnYearly, yearly } from './yearly-rule.ts'
import { timeOf } from './zones.ts'

/** Per series, newest first; enough for 27 years of daily events. */
export const MOST_OCCURRENCES = 10_000
/** Bounds rules that repeat every minute or never match. */
const MOST_STEPS = 100_000
const DAY = 86_400_000

export interface SeriesEntries {
  /** Absent if only exceptions are known. */
  readonly master: Entry | undefined
  readonly changed: readonly Entry[]
}

export interface ExpandOptions {
  readonly timezone: string
  readonly horizon: number
  readonly most?: number
}

export interface Expanded {
  readonly occurrences: readonly { readonly entry: Entry; readonly at: Occurrence }[]
  readonly leftOut: boolean
}

interface Slot {
  readonly start: Moment
  readonly length: number
}

export function expand({ master, changed }: SeriesEntries, options: ExpandOptions): Expanded {
  const { most = MOST_OCCURRENCES, timezone } = options
  const { slots, leftOut } = master === undefined ? { slots: [], leftOut: false } : slotsOf(master, options)
  const kept = slots.slice(-most)
  const changes = changesOf(changed, timezone)
  const found: { entry: Entry; at: Occurrence }[] = []
  for (const slot of kept) {
    const change = changes.take(slot.start)
    if (change !== undefined) found.push(...changedOccurrence(change, master, { slot, timezone }))
    else if (master !== undefined) found.push(changes.onwards(master, slot))
  }
  // Moved out of the rule, or the rule is unknown.
  for (const change of changes.rest()) found.push(...changedOccurrence(change, master, { timezone }))
  return { occurrences: found, leftOut: leftOut || kept.length < slots.length }
}

interface Change {
  readonly entry: Entry
  readonly of: Moment
  readonly onwards: boolean
}

function changesOf(changed: readonly Entry[], timezone: string) {
  const all: Change[] = changed.flatMap((entry) => {
    const property = first(entry, 'recurrence-id')
    const of = property && momentOf(property[3], property, { entry, timezone })
    if (of === undefined) return []
    return [{ entry, of, onwards: parameter(property, 'range')?.toUpperCase() === 'THISANDFUTURE' }]
  })
  const left = new Map(all.map((change) => [slotName(change.of), change]))
  const futures = all.filter(({ onwards }) => onwards).sort((a, b) => utcOf(a.of) - utcOf(b.of))
  return {
    /** A date matches that day's occurrence; a time matches its date in an all-day series. */
    take(start: Moment): Change | undefined {
      const names = start.isDate ? [slotName(start)] : [slotName(start), dayName(start.wall)]
      let name = names.find((one) => left.has(one))
      if (name === undefined && start.isDate) name = [...left].find(([, { of }]) => !of.isDate && dayName(of.wall) === slotName(start))?.[0]
      const change = name === undefined ? undefined : left.get(name)
      if (name !== undefined) left.delete(name)
      return change
    },
    /** The occurrence, with any THISANDFUTURE change applied. */
    onwards(master: Entry, { start, length }: Slot): { entry: Entry; at: Occurrence } {
      const change = futures.findLast(({ of }) => utcOf(of) <= utcOf(start))
      const slot = slotName(start)
      if (change === undefined) return { entry: master, at: { start, length, slot } }
      const moved = moment(change.entry, 'dtstart', timezone)
      if (moved === undefined) return { entry: master, at: { start, length, slot, cancelled: true } }
      const later = { ...moved, wall: moved.wall + sinceOn(change.of, start) }
      return { entry: change.entry, at: { start: later, length: lengthOf(change.entry, moved, timezone), slot } }
    },
    rest: () => [...left.values()],
  }
}

/** Local time from the changed slot to this one; whole days if either is a date. */
function sinceOn(of: Moment, start: Moment): number {
  const dayOf = (wall: number) => wall - (wall % DAY)
  return of.isDate || start.isDate ? dayOf(start.wall) - dayOf(of.wall) : start.wall - wallIn(of, start)
}

function wallIn(of: Moment, like: Moment): number {
  return like.isDate || of.isDate ? of.wall : utcOf(of) + like.zone.offsetAt(utcOf(of))
}

function changedOccurrence(
  { entry, of }: Change,
  master: Entry | undefined,
  { slot, timezone }: { readonly slot?: Slot; readonly timezone: string },
): { entry: Entry; at: Occurrence }[] {
  const name = slotName(slot?.start ?? of)
  const start = moment(entry, 'dtstart', timezone)
  if (start !== undefined) return [{ entry, at: { start, length: lengthOf(entry, start, timezone), slot: name } }]
  // Some calendars keep only the time of a cancelled occurrence.
  const usual = slot ?? (master && usualSlot(master, of, timezone))
  return master === undefined || usual === undefined ? [] : [{ entry: master, at: { ...usual, slot: name, cancelled: true } }]
}

function usualSlot(master: Entry, of: Moment, timezone: string): Slot | undefined {
  const start = moment(master, 'dtstart', timezone)
  return start === undefined ? undefined : { start: of, length: lengthOf(master, start, timezone) }
}

function slotsOf(master: Entry, { timezone, horizon }: ExpandOptions): { slots: Slot[]; leftOut: boolean } {
  const start = moment(master, 'dtstart', timezone)
  if (start === undefined) return { slots: [], leftOut: false }
  const length = lengthOf(master, start, timezone)
  const slots = new Map<number, Slot>()
  const put = (at: Moment, long: number) => void slots.set(at.wall, { start: at, length: long })
  put(start, length)
  let leftOut = false
  for (const rule of all(master, 'rrule')) {
    const walls = follow(rule, start, horizon)
    leftOut ||= walls.cut
    for (const wall of walls.found) put({ ...start, wall }, length)
  }
  for (const { at, length: own } of all(master, 'rdate').flatMap((property) => momentsOf(property, { entry: master, timezone }))) {
    const wall = wallIn(at, start)
    // An added date of a timed series uses the usual time.
    put(
      { ...start, wall: at.isDate && !start.isDate ? wall + (start.wall % DAY) : start.isDate ? wall - (wall % DAY) : wall },
      own ?? length,
    )
  }
  for (const rule of all(master, 'exrule')) for (const wall of follow(rule, start, horizon).found) slots.delete(wall)
  const days = new Set<string>()
  for (const { at } of all(master, 'exdate').flatMap((property) => momentsOf(property, { entry: master, timezone }))) {
    const wall = at.floating ? at.wall : wallIn(at, start)
    if (at.isDate || start.isDate) days.add(dayName(wall))
    else slots.delete(wall)
  }
  const kept = [...slots.values()].filter((slot) => days.size === 0 || !days.has(dayName(slot.start.wall)))
  return { slots: kept.sort((a, b) => a.start.wall - b.start.wall), leftOut }
}

function follow(property: Property, start: Moment, horizon: number): { found: number[]; cut: boolean } {
  const found: number[] = []
  const last = horizon + DAY
  let steps = 0
  const step = () => {
    steps += 1
    if (steps > MOST_STEPS) throw new TooManySteps()
  }
  try {
    const { count = Number.POSITIVE_INFINITY, walls } = wallsOf(property, start, { last, step })
    for (const wall of walls) {
      if (found.length >= count || wall > last || utcOf({ ...start, wall }) > horizon) break
      found.push(wall)
    }
    // The start always counts as the first occurrence.
    if (found[0] !== start.wall && found.length === count) found.pop()
    return { found, cut: false }
  } catch (error) {
    return { found, cut: error instanceof TooManySteps }
  }
}

/** The sequence may be infinite; `count` limits it. */
function wallsOf(
  property: Property,
  start: Moment,
  { last, step }: { last: number; step: () => void },
): { count?: number; walls: Iterable<number> } {
  const { until, count, ...rule } = property[3] as Record<string, unknown> & { until?: unknown; count?: unknown }
  const end = (until === undefined ? undefined : untilOf(until, start)) ?? Number.POSITIVE_INFINITY
  const walls = isOwnYearly(rule) ? yearly(rule, start.wall, last) : iterated(rule, start, step)
  return { ...(typeof count === 'number' ? { count } : {}), walls: upTo(end, walls) }
}

function* upTo(end: number, walls: Iterable<number>): Generator<number> {
  for (const wall of walls) {
    if (wall > end) return
    yield wall
  }
}

const STEPS: Readonly<Record<string, number>> = {
  ...{ SECONDLY: 1000, MINUTELY: 60_000, HOURLY: 3_600_000, DAILY: DAY, WEEKLY: 7 * DAY, MONTHLY: 30 * DAY, YEARLY: 365 * DAY },
}
const FARTHEST = 500 * 365 * DAY

function* iterated(rule: Record<string, unknown>, start: Moment, step: () => void): Generator<number> {
  // ical.js walks every month in between.
  if (Number(rule.interval ?? 1) * (STEPS[String(rule.freq)] ?? DAY) > FARTHEST) {
    yield start.wall
    return
  }
  const iterator = ICAL.Recur.fromData(structuredClone(rule)).iterator(timeOf(start.wall, start.isDate)) as ICAL.RecurIterator & {
    check_contracting_rules(): unknown
  }
  // Guards rules that never match, on which ical.js loops forever.
  const check = iterator.check_contracting_rules.bind(iterator)
  iterator.check_contracting_rules = () => {
    step()
    return check()
  }
  for (let next = iterator.next(); next; next = iterator.next()) yield wallOf(next)
}

class TooManySteps extends Error {}

function wallOf({ year, month, day, hour, minute, second }: ICAL.Time): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000
}

/** In the start's zone: `until` may be UTC, a date, or neither. */
function untilOf(until: unknown, start: Moment): number | undefined {
  const at = momentOf(String(until), ['until', {}, 'unknown', until], {
    entry: { calendar: { name: '' }, zones: new Map() },
    timezone: 'UTC',
  })
  if (at === undefined) return undefined
  if (start.isDate) return at.wall - (at.wall % DAY)
  if (at.isDate) return at.wall + DAY - 1000
  return at.floating ? at.wall : wallIn(at, start)
}

/** Undefined if endless or if only counting would tell. */
export function lastStart(master: Entry, timezone: string): number | undefined {
  const start = moment(master, 'dtstart', timezone)
  if (start === undefined) return undefined
  const ends = all(master, 'rrule').map((rule) => {
    const { until } = rule[3] as { until?: unknown }
    const end = until === undefined ? undefined : untilOf(until, start)
    return end === undefined ? undefined : utcOf({ ...start, wall: end })
  })
  const added = all(master, 'rdate').flatMap((property) => momentsOf(property, { entry: master, timezone }).map(({ at }) => utcOf(at)))
  if (ends.some((end) => end === undefined)) return undefined
  return [...(ends as number[]), ...added].reduce((last, at) => Math.max(last, at), utcOf(start))
}
