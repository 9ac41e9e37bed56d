import { plural } from './text.ts'

export interface Retention {
  /** Days after the last write; null: the harness deletes nothing. */
  readonly days: number | null
  readonly setting: string | null
  /** null: the default applies. */
  readonly path: string | null
}

export interface LogsAtRisk {
  readonly waiting: number
  readonly oldest_waiting: string | null
  readonly retention: Retention | null
}

export function retentionWords({ days, setting, path }: Retention): string {
  if (days === null) return setting === null ? 'it deletes no logs by itself' : `it deletes no logs (${setting})`
  return `it deletes logs after ${plural(Math.round(days * 10) / 10, 'day')} (${setting}${path === null ? ', its default' : ''})`
}

/** Undefined if nothing will be deleted. */
export function oldestWords({ waiting, oldest_waiting, retention }: LogsAtRisk, now: number): string | undefined {
  if (oldest_waiting === null || retention?.days == null) return undefined
  const age = Math.floor((now - Date.parse(oldest_waiting)) / DAY_MS)
  const old = age < 1 ? 'less than a day old' : `${plural(age, 'day')} old`
  const files = `${plural(waiting, 'file')} not imported, ${waiting === 1 ? '' : 'the oldest '}${old}`
  if (age >= retention.days) return `${files}: it is deleted at the next start of the harness`
  return `${files}; it is deleted in ${plural(Math.max(1, Math.ceil(retention.days - age)), 'day')}`
}

const DAY_MS = 86_400_000
