import type { Kysely } from 'kysely'
import { parseTimestamp } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { Tables } from '../store/tables.ts'
import type { Member, Span, ThreadEvents } from './strategy.ts'

export const DERIVED = 'derived'

const PAGE = 500

export function threadEvents(db: Kysely<Tables>, thread: string): ThreadEvents {
  return {
    between: (span) => membersBetween(db, thread, span),
    timesBefore: (time) => times((from) => earlier(db, { thread, time: from }), time),
    timesAfter: (time) => times((from) => later(db, { thread, time: from }), time),
    async timesOf(ids) {
      const found: number[] = []
      for (let at = 0; at < ids.length; at += PAGE) {
        const rows = await db
          .selectFrom('events')
          .select('timestamp')
          .where('id', 'in', ids.slice(at, at + PAGE))
          .execute()
        found.push(...rows.map(({ timestamp }) => timestamp))
      }
      return found
    },
  }
}

async function* membersBetween(db: Kysely<Tables>, thread: string, { from, to }: Span): AsyncGenerator<Member, void, undefined> {
  let after = { time: from, id: '' }
  for (;;) {
    const rows = await page(db, { thread, ...after, to })
    for (const { id, timestamp, trust, metadata_json } of rows)
      yield { id, timestamp, end: endOf(metadata_json, timestamp), trust: trust as Trust }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = { time: last.timestamp, id: last.id }
  }
}

/** Keyset pagination by (timestamp, id). Ids are never empty, so '' starts at the first event of `time`. */
const page = compiledOnce((db, { thread, time, id, to }: { thread: string; time: number; id: string; to: number }) =>
  db
    .selectFrom('events')
    .select(['id', 'timestamp', 'trust', 'metadata_json'])
    .where('thread_id', '=', thread)
    .where('timestamp', '>=', time)
    .where('timestamp', '<=', to)
    .where((eb) => eb.or([eb('timestamp', '>', time), eb('id', '>', id)]))
    .where('source_adapter', '<>', DERIVED)
    .orderBy('timestamp')
    .orderBy('id')
    .limit(PAGE),
)

function endOf(metadata: string | null, start: number): number {
  if (metadata === null || !metadata.includes('"end"')) return start
  const time = parseTimestamp((JSON.parse(metadata) as { end?: unknown }).end)
  return time !== undefined && time > start ? time : start
}

async function* times(next: (time: number) => Promise<{ timestamp: number }[]>, start: number): AsyncGenerator<number, void, undefined> {
  let from = start
  for (;;) {
    const rows = await next(from)
    for (const { timestamp } of rows) yield timestamp
    const last = rows.at(-1)
    if (last === undefined) return
    from = last.timestamp
  }
}

const TIMES = 64

const earlier = compiledOnce((db, { thread, time }: { thread: string; time: number }) =>
  db
    .selectFrom('events')
    .select('timestamp')
    .where('thread_id', '=', thread)
    .where('timestamp', '<', time)
    .where('source_adapter', '<>', DERIVED)
    .orderBy('timestamp', 'desc')
    .limit(TIMES),
)

const later = compiledOnce((db, { thread, time }: { thread: string; time: number }) =>
  db
    .selectFrom('events')
    .select('timestamp')
    .where('thread_id', '=', thread)
    .where('timestamp', '>', time)
    .where('source_adapter', '<>', DERIVED)
    .orderBy('timestamp')
    .limit(TIMES),
)
