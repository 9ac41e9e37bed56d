/** Contact habits from message times. Counts days, not messages. Requires enough days over a long enough span. */
import { wallClock } from '../../core/time.ts'

export interface Contact {
  readonly event: string
  readonly timestamp: number
  readonly channel: string
}

export interface Habit {
  readonly type: 'TYPICALLY_CONTACTS_AT' | 'PREFERS_CHANNEL' | 'COMMUNICATION_FREQUENCY'
  readonly value: string
  readonly confidence: number
  readonly fact: string
  readonly supports: ReadonlySet<string>
}

export interface HabitsOptions {
  readonly timezone: string
  readonly name: string
  /** Channels that anybody uses with the owner: one alone cannot be a preference. */
  readonly channels: number
}

const LEAST_DAYS = 8
const LEAST_SPAN_DAYS = 14
const LEAST_SPAN_OFTEN = 28
const LEAST_SHARE = { hour: 0.6, channel: 0.75, often: 0.6 }
const MOST_CONFIDENCE = 0.95
const DAY_MS = 86_400_000
const DAY_MINUTES = 1440
const NEAR_MINUTES = 60

export function habitsOf(contacts: readonly Contact[], options: HabitsOptions): Habit[] {
  const days = daysOf(contacts, options.timezone)
  const span = days.length === 0 ? 0 : dayNumber(days.at(-1)?.day ?? '') - dayNumber(days[0]?.day ?? '') + 1
  if (days.length < LEAST_DAYS || span < LEAST_SPAN_DAYS) return []
  const told = `${days[0]?.day} to ${days.at(-1)?.day}`
  return [hourOf(days, options, told), channelOf(days, options, told), frequencyOf(days, span, options, told)].filter(
    (habit) => habit !== undefined,
  )
}

interface Day {
  readonly day: string
  readonly contacts: readonly (Contact & { readonly minute: number })[]
}

function daysOf(contacts: readonly Contact[], timezone: string): Day[] {
  const days = new Map<string, (Contact & { minute: number })[]>()
  for (const contact of [...contacts].sort((a, b) => a.timestamp - b.timestamp)) {
    const { day, time } = wallClock(contact.timestamp, timezone)
    const [hour = 0, minute = 0] = time.split(':').map(Number)
    days.set(day, [...(days.get(day) ?? []), { ...contact, minute: hour * 60 + minute }])
  }
  return [...days].map(([day, of]) => ({ day, contacts: of }))
}

function hourOf(days: readonly Day[], { timezone, name }: HabitsOptions, told: string): Habit | undefined {
  const isNear = (minute: number, hour: number) => distance(minute, hour * 60) <= NEAR_MINUTES
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const near = days.filter(({ contacts }) => contacts.some(({ minute }) => isNear(minute, hour)))
    const first = near.map(({ contacts }) => Math.min(...contacts.map(({ minute }) => distance(minute, hour * 60))))
    return { hour, near, off: first.reduce((sum, one) => sum + one, 0) / Math.max(1, first.length) }
  })
  const [best] = hours.sort((a, b) => b.near.length - a.near.length || a.off - b.off || a.hour - b.hour)
  if (best === undefined || best.near.length / days.length < LEAST_SHARE.hour) return undefined
  // Somebody who writes at all hours has no typical one.
  const all = days.flatMap(({ contacts }) => contacts)
  if (all.filter(({ minute }) => isNear(minute, best.hour)).length / all.length < LEAST_SHARE.hour) return undefined
  return {
    ...{
      type: 'TYPICALLY_CONTACTS_AT',
      value: `${String(best.hour).padStart(2, '0')}:00`,
      confidence: share(best.near.length, days.length),
    },
    fact: `${name} wrote between ${clock(best.hour - 1)} and ${clock(best.hour + 1)} (${timezone}) on ${best.near.length} of ${days.length} days with messages, ${told}`,
    supports: new Set(
      best.near.flatMap(({ contacts }) => contacts.filter(({ minute }) => isNear(minute, best.hour)).map(({ event }) => event)),
    ),
  }
}

function channelOf(days: readonly Day[], { name, channels }: HabitsOptions, told: string): Habit | undefined {
  if (channels < 2) return undefined
  const used = [...new Set(days.flatMap(({ contacts }) => contacts.map(({ channel }) => channel)))].sort()
  const counts = used.map((channel) => ({ channel, on: days.filter(({ contacts }) => contacts.some((one) => one.channel === channel)) }))
  const [best] = counts.sort((a, b) => b.on.length - a.on.length)
  const total = counts.reduce((sum, { on }) => sum + on.length, 0)
  if (best === undefined || best.on.length / total < LEAST_SHARE.channel) return undefined
  return {
    ...{ type: 'PREFERS_CHANNEL', value: best.channel, confidence: share(best.on.length, total) },
    fact: `${name} wrote by ${best.channel} on ${best.on.length} of ${days.length} days with messages, ${told}`,
    supports: new Set(
      best.on.flatMap(({ contacts }) => contacts.filter(({ channel }) => channel === best.channel).map(({ event }) => event)),
    ),
  }
}

function frequencyOf(days: readonly Day[], span: number, { name }: HabitsOptions, told: string): Habit | undefined {
  if (span < LEAST_SPAN_OFTEN) return undefined
  const aWeek = (days.length / span) * 7
  const value = aWeek >= 5 ? 'daily' : aWeek >= 2 ? 'several times a week' : aWeek >= 0.75 ? 'weekly' : 'monthly'
  const length = value === 'monthly' ? 30 : 7
  const first = dayNumber(days[0]?.day ?? '')
  // The last, incomplete period does not count.
  const periods = Math.floor(span / length)
  const with_ = new Set(days.map(({ day }) => Math.floor((dayNumber(day) - first) / length)).filter((period) => period < periods))
  if (periods === 0 || with_.size / periods < LEAST_SHARE.often) return undefined
  return {
    ...{ type: 'COMMUNICATION_FREQUENCY', value, confidence: share(with_.size, periods) },
    fact: `${name} wrote on ${days.length} of ${span} days, in ${with_.size} of ${periods} ${value === 'monthly' ? 'months' : 'weeks'}, ${told}`,
    supports: new Set(days.flatMap(({ contacts }) => contacts.map(({ event }) => event))),
  }
}

function share(part: number, all: number): number {
  return Math.min(MOST_CONFIDENCE, Math.round((part / all) * 100) / 100)
}

function distance(minute: number, other: number): number {
  const apart = Math.abs(minute - other) % DAY_MINUTES
  return Math.min(apart, DAY_MINUTES - apart)
}

function clock(hour: number): string {
  return `${String((hour + 24) % 24).padStart(2, '0')}:00`
}

function dayNumber(day: string): number {
  return Math.floor(Date.parse(`${day}T00:00:00Z`) / DAY_MS)
}
