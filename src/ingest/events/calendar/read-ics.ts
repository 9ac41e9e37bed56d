/** A defect costs one property or event, never the rest. */
import ICAL from 'ical.js'
import { shortHash } from '../../../core/hash.ts'
import type { ContentLine } from '../content-lines.ts'
import { type Calendar, type Entry, first, KEPT, type Property, text } from './entry.ts'
import { unknownZones } from './moments.ts'

export type CalendarItem =
  | { readonly type: 'entry'; readonly entry: Entry; readonly line: number }
  | { readonly type: 'other'; readonly name: string }
  | { readonly type: 'bad'; readonly line: number; readonly reason: string }

/** Entries held until a later VTIMEZONE; beyond that they are read without it. */
const MOST_WAITING = 5000
const PARTS = new Set(['VCALENDAR', 'VTIMEZONE', 'VEVENT', 'VALARM', 'STANDARD', 'DAYLIGHT'])

interface OpenEvent {
  readonly line: number
  readonly properties: Property[]
}

type Named = { -readonly [Key in keyof Calendar]: Calendar[Key] }
type JCal = [name: string, properties: Property[], parts: JCal[]]

export async function* readIcs(
  lines: AsyncIterable<ContentLine>,
  options: { readonly name: string },
): AsyncGenerator<CalendarItem, void, undefined> {
  const reading = newReading(options.name)
  for await (const line of lines) {
    if (line.text.trim() === '') continue
    const edge = /^\s*(BEGIN|END)\s*:\s*(\S+)\s*$/i.exec(line.text)
    if (edge === null) yield* reading.property(line)
    else if (edge[1]?.toUpperCase() === 'BEGIN') yield* reading.begin((edge[2] ?? '').toUpperCase(), line.number)
    else yield* reading.end((edge[2] ?? '').toUpperCase(), line.number)
  }
  yield* reading.close()
}

function newReading(fallback: string) {
  const open: string[] = []
  let calendar: Named = { name: fallback, unnamed: true }
  let zones = new Map<string, unknown>()
  let event: OpenEvent | undefined
  let defining: JCal[] = []
  let waiting: { readonly entry: Entry; readonly line: number }[] = []

  function* releaseWaiting(): Generator<CalendarItem> {
    for (const { entry, line } of waiting) yield { type: 'entry', entry, line }
    waiting = []
  }

  function* finishEvent(): Generator<CalendarItem> {
    if (event === undefined) return
    const { line, properties } = event
    event = undefined
    const entry: Entry = { uid: uidOf(properties), calendar: calendar as Calendar, zones, properties }
    if (waiting.length < MOST_WAITING && unknownZones(entry).length > 0) waiting.push({ entry, line })
    else yield { type: 'entry', entry, line }
  }

  return {
    *begin(name: string, line: number): Generator<CalendarItem> {
      if (name === 'VCALENDAR') {
        yield* releaseWaiting()
        calendar = { name: fallback, unnamed: true }
        zones = new Map()
      }
      if (name === 'VEVENT') {
        if (event !== undefined) {
          yield { type: 'bad', line: event.line, reason: 'an event without its end' }
          open.length = open.lastIndexOf('VEVENT')
        }
        event = { line, properties: [] }
      } else if (name === 'VTIMEZONE' || defining.length > 0) {
        // STANDARD and DAYLIGHT have no nested parts.
        if (defining.length < 2) defining.push([name.toLowerCase(), [], []])
      } else if (!PARTS.has(name) && event === undefined && open.every((outer) => outer === 'VCALENDAR')) yield { type: 'other', name }
      open.push(name)
    },
    *end(name: string, line: number): Generator<CalendarItem> {
      const at = open.lastIndexOf(name)
      if (at < 0) {
        yield { type: 'bad', line, reason: `END:${name.slice(0, 40)} without a beginning` }
        return
      }
      open.length = at
      if (name === 'VEVENT') yield* finishEvent()
      const closed = defining.length > 0 && defining.at(-1)?.[0] === name.toLowerCase() ? defining.pop() : undefined
      if (closed !== undefined && defining.length > 0) defining.at(-1)?.[2].push(closed)
      else if (closed !== undefined) {
        for (const [, , , tzid] of closed[1].filter(([own]) => own === 'tzid')) zones.set(String(tzid), closed)
      }
      if (name === 'VCALENDAR') {
        yield* releaseWaiting()
        defining = []
      }
    },
    *property(line: ContentLine): Generator<CalendarItem> {
      const name = /^\s*([^;:\s]+)/.exec(line.text)?.[1]?.toLowerCase() ?? ''
      const inside = open.at(-1)
      if (inside === 'VEVENT' && event !== undefined) {
        if (!KEPT.has(name)) {
          if (!/^\s*[\w-]+[;:]/.test(line.text)) yield { type: 'bad', line: line.number, reason: 'no property' }
          return
        }
        const property = parsed(line.text)
        if (typeof property === 'string') yield { type: 'bad', line: line.number, reason: property }
        else event.properties.push(property)
      } else if (defining.length > 0) {
        const property = parsed(line.text)
        if (typeof property !== 'string') defining.at(-1)?.[1].push(property)
      } else if (inside === 'VCALENDAR' || inside === undefined) {
        const property = /^(?:x-wr-calname|name|x-wr-timezone|timezone-id|method)$/.test(name) ? parsed(line.text) : ''
        if (typeof property === 'string') return
        const value = text({ properties: [property] }, name)
        if (value === undefined) return
        if (name === 'x-wr-calname' || (name === 'name' && calendar.unnamed)) {
          calendar.name = value
          delete calendar.unnamed
        } else if (name === 'x-wr-timezone' || name === 'timezone-id') calendar.zone = value
        else if (name === 'method') calendar.method = value.toUpperCase()
      }
    },
    *close(): Generator<CalendarItem> {
      if (event !== undefined) yield { type: 'bad', line: event.line, reason: 'an event without its end' }
      yield* releaseWaiting()
    },
  }
}

/** A string is the error. */
export function parsed(line: string): Property | string {
  try {
    // Some programs write invalid spaces in rules.
    const spaced = /^\s*(?:RRULE|EXRULE)/i.test(line) ? line.replace(/\s+/g, '') : line.trimStart()
    // Some programs declare a date but write a time.
    const written = /:\d{8}T\d{6}Z?\s*$/i.test(spaced) ? spaced.replace(/;VALUE=DATE(?=[;:])/i, '') : spaced
    const property = ICAL.parse.property(written) as Property | undefined
    return property ?? 'no property'
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 120) ?? 'no property'
  }
}

/** A missing uid is derived from content, so that it is stable. */
function uidOf(properties: readonly Property[]): string {
  const own = text({ properties }, 'uid')
  if (own !== undefined) return own
  const said = ['dtstart', 'summary', 'location', 'description'].map((name) => JSON.stringify(first({ properties }, name)?.[3] ?? ''))
  return `unnamed-${shortHash(16, said.join('\n'))}`
}
