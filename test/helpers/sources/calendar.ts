/** iCalendar as exported: folded lines, escaped text. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calendar } from '../../../src/ingest/events/calendar.ts'
import type { EventSource } from '../event-source.ts'

const OWNER = 'owner@example.com'

export const calendarSource: EventSource = {
  name: 'calendar',
  kind: 'file',
  adapter: (folder) =>
    calendar({ paths: [folder], owner: { isOwn: (handle) => handle === OWNER, timezone: 'Europe/Berlin' }, agentId: 'main' }),
  write(folder, name, happenings) {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `${name}.ics`)
    const events = happenings.map(({ text, from, at }, n) =>
      vevent({
        UID: `${name}-${n}@example.com`,
        DTSTAMP: stamp(at),
        DTSTART: stamp(at),
        SUMMARY: escaped(text),
        ORGANIZER: `mailto:${from ?? OWNER}`,
      }),
    )
    writeFileSync(path, vcalendar(`X-WR-CALNAME:${name}`, ...events))
    return path
  },
}

/** Folds after 75 bytes, even inside a character. */
export function vcalendar(...lines: readonly string[]): Buffer {
  const all = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines.flatMap((line) => line.split('\n')), 'END:VCALENDAR']
  return Buffer.concat(all.flatMap(folded))
}

function folded(line: string): Buffer[] {
  const bytes = Buffer.from(line)
  const parts: Buffer[] = []
  for (let from = 0; from === 0 || from < bytes.length; from += 74) {
    if (from > 0) parts.push(Buffer.from('\r\n '))
    parts.push(bytes.subarray(from, from + 74))
  }
  return [...parts, Buffer.from('\r\n')]
}

export function vevent(properties: Readonly<Record<string, string | readonly string[]>>): string {
  const lines = Object.entries(properties).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => (one.startsWith(';') ? `${name}${one}` : `${name}:${one}`)),
  )
  return ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\n')
}

function stamp(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
}

function escaped(text: string): string {
  return text.replace(/[\\,;]/g, '\\$&').replaceAll('\n', '\\n')
}
