/** Units are stored series, not files. Extends the horizon monthly, and removes occurrences that a rule no longer gives. */
import type { Clock } from '../../core/clock.ts'
import type { Store } from '../../store/store.ts'
import type { Adapter, DiscoverOptions, ReadItem, SourceUnit } from '../adapter.ts'
import type { Owner } from './calendar/people.ts'

export const CALENDAR_SERIES = 'calendar-series'

export interface CalendarSeriesOptions {
  readonly store: Store
  /** Lazy: most homes have no series. */
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

/** End of the expanded range: at least a year ahead, stable within a month. */
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
    // Replaces mtime; steps of ten, because times within two milliseconds count as equal.
    yield { path: uid, size: month * 1000 + Number(parts), mtimeMs: Number(revision) * 10 }
  }
}

async function* read({ store, owner, clock }: CalendarSeriesOptions, uid: string): AsyncGenerator<ReadItem, void, undefined> {
  const parts = await store.read.selectFrom('series_parts').selectAll().where('series', '=', uid).orderBy('part').execute()
  if (parts.length === 0) return
  const { seriesEvents } = await import('./calendar/series-events.ts')
  yield* seriesEvents(parts, { owner: await owner(), horizon: horizonOf(clock()) })
}
