import { parseWhen } from '../core/time.ts'

export interface TimeSpan {
  /** Inclusive. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** 0 to 1: how surely the question means it. */
  readonly sure: number
}

export interface Zone {
  readonly timezone: string
  readonly now: number
}

/** A getter: the zone is resolved only if a time is named. */
export function zoneOf(owner: Pick<Zone, 'timezone'>, now: number): Zone {
  return {
    get timezone() {
      return owner.timezone
    },
    now,
  }
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
export const MONTH_NAMES = MONTHS.flatMap((name) => [name, `${name.slice(0, 3)}\\.?`]).join('|')
export const SEASON_NAMES = 'spring|summer|autumn|fall|winter'

export function monthNumber(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3).toLowerCase())) + 1
}

/** First month, northern hemisphere. Winter belongs to the year it begins in. */
export function seasonStart(season: string): number {
  return { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 }[season.toLowerCase()] ?? 1
}

export interface Calendar {
  readonly year: number
  readonly month: number
  readonly day: number
  /** Midnight of a day; months and days beyond their end carry over. */
  at(year: number, month: number, day: number): number
}

export function zoned({ timezone, now }: Zone): Calendar {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
  const [year = 1970, month = 1, day = 1] = today.split('-').map(Number)
  return {
    year,
    month,
    day,
    at(wantedYear, wantedMonth, wantedDay) {
      const date = new Date(Date.UTC(wantedYear, wantedMonth - 1, wantedDay)).toISOString().slice(0, 10)
      return parseWhen(date, { timezone, now })
    },
  }
}
