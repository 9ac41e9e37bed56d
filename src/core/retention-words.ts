/** What a harness deletes of its own logs, in words. Pure. */
import { plural } from './text.ts'

export interface Retention {
  /** Logs are deleted when they were last written so many days ago; null: the harness deletes none by itself. */
  readonly days: number | null
  /** The setting that says so, by its name in the harness; null where there is none. */
  readonly setting: string | null
  /** The file in which it is set; null: it is the default. */
  readonly path: string | null
}

/** Logs that are not imported yet. */
export interface LogsAtRisk {
  readonly waiting: number
  /** When the oldest of them was last written. */
  readonly oldest_waiting: string | null
  readonly retention: Retention | null
}

export function retentionWords({ days, setting, path }: Retention): string {
  if (days === null) return setting === null ? 'it deletes no logs by itself' : `it deletes no logs (${setting})`
  return `it deletes logs after ${plural(Math.round(days * 10) / 10, 'day')} (${setting}${path === null ? ', its default' : ''})`
}

/** What was not imported, and how near it is to being deleted; undefined where nothing is going to be. */
export function oldestWords({ waiting, oldest_waiting, retention }: LogsAtRisk, now: number): string | undefined {
  if (oldest_waiting === null || retention?.days == null) return undefined
  const age = Math.floor((now - Date.parse(oldest_waiting)) / DAY_MS)
  const old = age < 1 ? 'less than a day old' : `${plural(age, 'day')} old`
  const files = `${plural(waiting, 'file')} not imported, ${waiting === 1 ? '' : 'the oldest '}${old}`
  if (age >= retention.days) return `${files}: it is deleted at the next start of the harness`
  return `${files}; it is deleted in ${plural(Math.max(1, Math.ceil(retention.days - age)), 'day')}`
}

const DAY_MS = 86_400_000
