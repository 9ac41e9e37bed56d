/** Single events become events; rules are stored for `calendar-series`. */
import { basename, extname } from 'node:path'
import { MnemonicError } from '../../core/error.ts'
import { plural } from '../../core/text.ts'
import type { Adapter, ReadItem, SourceUnit, UnitReader } from '../adapter.ts'
import { describeSource, type SourceOptions } from '../capture/descriptions.ts'
import { sourceFiles } from '../walk.ts'
import { type Entry, first } from './calendar/entry.ts'
import { hasRule, lengthOf, moment, unknownZones, utcOf } from './calendar/moments.ts'
import type { Owner } from './calendar/people.ts'
import { isGoogle, readGoogle } from './calendar/read-google.ts'
import { type CalendarItem, readIcs } from './calendar/read-ics.ts'
import { calendarThread, calendarThreadId, singleRecord } from './calendar/record.ts'
import { seriesPart } from './calendar/series-part.ts'
import { versionOf } from './calendar/version.ts'
import { contentLines, decoded } from './content-lines.ts'

export interface CalendarOptions extends SourceOptions {
  readonly owner: Owner
  readonly agentId: string
}

export function calendar(options: CalendarOptions): Adapter {
  const description = describeSource('calendar', options)
  return {
    ...description,
    discover: (asked) => sourceFiles(description.defaultPaths(), asked, (file) => /\.(?:ics|ical|icalendar|json)$/i.test(file)),
    recognises: (head) => isIcs(head) || isGoogle(head),
    age: async (unit) => unit.mtimeMs,
    read: (unit, _, reader) => read(unit, reader, options),
  }
}

/** The VCALENDAR wrapper may be missing. */
function isIcs(head: Buffer): boolean {
  return /^\s*BEGIN\s*:\s*(?:VCALENDAR|VEVENT|VTODO|VJOURNAL|VFREEBUSY|VTIMEZONE)\s*$/im.test(beginning(head))
}

function beginning(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le').decode(head.subarray(0, 4096))
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be').decode(head.subarray(0, 4096))
  return decoded(head.subarray(0, 4096)).replace(/^\ufeff/, '')
}

async function* read(unit: SourceUnit, reader: UnitReader, options: CalendarOptions): AsyncGenerator<ReadItem, void, undefined> {
  const head = await reader.slice(unit.path, 0, 64 << 10)
  if (head.toString('latin1').trim() === '') return
  const name = basename(unit.path, extname(unit.path))
  if (isGoogle(head)) yield* records(readGoogle(unit, reader, name), unit, options)
  else if (isIcs(head)) yield* records(readIcs(contentLines(reader.chunks(unit.path, 0)), { name }), unit, options)
  else
    throw new MnemonicError('NOT_THIS_FORMAT', `not a calendar: ${unit.path}`, {
      details: { path: unit.path, reasons: ['it begins neither as iCalendar nor as JSON of Google Calendar'] },
    })
}

async function* records(
  items: AsyncIterable<CalendarItem>,
  unit: SourceUnit,
  options: CalendarOptions,
): AsyncGenerator<ReadItem, void, undefined> {
  const threads = new Set<string>()
  const others = new Map<string, number>()
  const unknown = new Set<string>()
  let count = 0
  for await (const item of items) {
    if (item.type === 'other') others.set(item.name, (others.get(item.name) ?? 0) + 1)
    else if (item.type === 'bad') yield { type: 'bad_line', line: item.line, reason: item.reason }
    else {
      for (const zone of unknownZones(item.entry)) unknown.add(zone)
      const thread = calendarThreadId(item.entry.calendar)
      const record = recordOf(item.entry, options)
      if (typeof record === 'string') {
        yield { type: 'bad_line', line: item.line, reason: record }
        continue
      }
      if (!threads.has(thread)) {
        threads.add(thread)
        const at = moment(item.entry, 'dtstart', options.owner.timezone)
        yield {
          type: 'event',
          record: calendarThread(item.entry.calendar, { agentId: options.agentId, at: at === undefined ? 0 : utcOf(at) }),
        }
      }
      count += 1
      yield { type: 'event', record }
      if (count % 100 === 0) yield { type: 'checkpoint', offset: 0, carry: undefined }
    }
  }
  if (others.size > 0) yield { type: 'warning', message: `${unit.path}: left out ${leftOut(others)}` }
  for (const zone of [...unknown].slice(0, 5))
    yield {
      type: 'warning',
      message: `${unit.path}: nobody knows the time zone ${JSON.stringify(zone.slice(0, 80))}; its times were read as ${options.owner.timezone}`,
    }
  if (count === 0 && others.size === 0) yield { type: 'warning', message: `${unit.path}: no event in it` }
}

const OTHERS: Readonly<Record<string, string>> = {
  VTODO: 'task',
  VJOURNAL: 'journal note',
  VFREEBUSY: 'busy-time list',
  VAVAILABILITY: 'free-time list',
}

function leftOut(others: ReadonlyMap<string, number>): string {
  const known = [...others].map(([name, count]) =>
    OTHERS[name] === undefined ? `${count} ${name.slice(0, 40)}` : plural(count, OTHERS[name]),
  )
  return `${known.join(', ')}: only events are read`
}

/** A string is the rejection reason. */
function recordOf(entry: Entry, { owner, agentId }: CalendarOptions) {
  const options = { owner, agentId, version: versionOf(entry) }
  const start = moment(entry, 'dtstart', owner.timezone)
  if (first(entry, 'recurrence-id') !== undefined) return seriesPart(entry, options) ?? 'the occurrence that it changes cannot be read'
  if (start === undefined) return first(entry, 'dtstart') === undefined ? 'an event without a start' : 'an event whose start is no time'
  if (hasRule(entry)) return seriesPart(entry, options) ?? 'a rule that cannot be read'
  return singleRecord(entry, { start, length: lengthOf(entry, start, owner.timezone) }, options)
}
