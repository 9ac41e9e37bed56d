/** Sync of twenty years of weekly meetings, at two sizes: processor time, peak memory, cost of a second sync. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchContext } from './run.ts'
import { megabytes, milliseconds, table } from './table.ts'

const CHILD = fileURLToPath(new URL('./sync-child.js', import.meta.url))

interface ChildReport {
  readonly ms: number
  readonly maxRss: number
  readonly totals: { readonly bytes_read: number; readonly records: number }
}

export async function calendarBench({ root, full, brief, print }: BenchContext): Promise<void> {
  const peaks: number[] = []
  const rows = (brief ? [1, 5] : full ? [20, 100] : [5, 25]).map((series) => {
    const path = join(root, `weekly-${series}.ics`)
    writeFileSync(path, weekly(series))
    const home = join(root, `calendar-home-${series}`)
    const first = sync(home, path)
    const second = sync(home, path)
    peaks.push(first.maxRss)
    return [
      String(series),
      `${(first.ms / 1000).toFixed(1)} s`,
      `${megabytes(first.maxRss)} MB`,
      `${milliseconds(second.ms)} ms, ${second.totals.bytes_read} bytes`,
    ]
  })
  print(table('Weekly meetings since 2006, generated, no embedding', ['series', 'first sync', 'peak memory', 'second sync'], rows))
  const [small = 1, large = 1] = peaks
  print(`\nPeak memory at five times the meetings: ${(large / small).toFixed(2)} × (hold ≤ 1.20)`)
}

function weekly(series: number): string {
  const meetings = Array.from({ length: series }, (_, n) => {
    const day = String(2 + (n % 5)).padStart(2, '0')
    const hour = String(8 + (Math.floor(n / 5) % 10)).padStart(2, '0')
    return [
      ...['BEGIN:VEVENT', `UID:weekly-${n}@example.com`, 'DTSTAMP:20060101T000000Z'],
      ...[`DTSTART:200601${day}T${hour}0000Z`, `DTEND:200601${day}T${hour}3000Z`, 'RRULE:FREQ=WEEKLY'],
      ...[`SUMMARY:Weekly ${n}`, `DESCRIPTION:What we plan in group ${n}, and who does it.`],
      ...[`ORGANIZER;CN=Person ${n}:mailto:person${n}@example.com`, `ATTENDEE;CN=Guest ${n}:mailto:guest${n}@example.com`, 'END:VEVENT'],
    ]
  })
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Generated//EN', ...meetings.flat(), 'END:VCALENDAR', ''].join('\r\n')
}

function sync(home: string, path: string): ChildReport {
  return JSON.parse(execFileSync(process.execPath, [CHILD, home, path, 'calendar'], { encoding: 'utf8' })) as ChildReport
}
