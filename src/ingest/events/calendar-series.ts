/**
 * The events of what repeats in calendars. Its units are the series of our own ledger: no file is opened. Once a month it goes on to make what
 * begins within a year; what a rule no longer gives is removed.
 */
import type { Clock } from '../../core/clock.ts'
import type { Store } from '../../store/store.ts'
import type { Adapter, DiscoverOptions, ReadItem, SourceUnit } from '../adapter.ts'
import type { Owner } from './calendar/people.ts'

export const CALENDAR_SERIES = 'calendar-series'

export interface CalendarSeriesOptions {
  readonly store: Store
  /** Asked when there is a series to follow: most homes have none, and need none of what reads it. */
  readonly owner: () => Promise<Owner>
  readonly clock: Clock
}

export function calendarSeries(options: CalendarSeriesOptions): Adapter {
  return {
    name: CALENDAR_SERIES,
    eventsOf: 'calendar',
    rewritten: true,
    mirrors: 'event',
    derived: true,
    defaultPaths: () => [],
    discover: (asked) => discover(options, asked),
    recognises: () => false,
    read: (unit) => read(options, unit.path),
  }
}

/** Up to where occurrences are made: at least a year from now, and the same for a whole month. */
export function horizonOf(now: number): number {
  const at = new Date(now)
  return Date.UTC(at.getUTCFullYear() + 1, at.getUTCMonth() + 1, 1)
}

async function* discover({ store, clock }: CalendarSeriesOptions, { path }: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  if (path !== undefined) return
  const horizon = horizonOf(clock())
  const series = await store.read
    .selectFrom('series_parts')
    .select((eb) => [
      'series',
      eb.fn.max('revision').as('revision'),
      eb.fn.max('ends_at').as('endsAt'),
      eb.fn.countAll<number>().as('parts'),
    ])
    .groupBy('series')
    .orderBy('series')
    .execute()
  for (const { series: uid, revision, endsAt, parts } of series) {
    const month = Number(endsAt) < horizon ? 0 : Math.floor(horizon / 86_400_000)
    // In place of a time: ten apart, because times that differ by less than two milliseconds count as the same.
    yield { path: uid, size: month * 1000 + Number(parts), mtimeMs: Number(revision) * 10 }
  }
}

async function* read({ store, owner, clock }: CalendarSeriesOptions, uid: string): AsyncGenerator<ReadItem, void, undefined> {
  const parts = await store.read.selectFrom('series_parts').selectAll().where('series', '=', uid).orderBy('part').execute()
  if (parts.length === 0) return // removed since it was found
  const { seriesEvents } = await import('./calendar/series-events.ts')
  yield* seriesEvents(parts, { owner: await owner(), horizon: horizonOf(clock()) })
}
