/** The only writer of calendar rules. Keeps the newest version of each part. */
import type { Insertable } from 'kysely'
import { META, readMeta, writeMeta } from '../store/meta.ts'
import type { WriteTx } from '../store/store.ts'
import type { EventsTable, SeriesPartsTable } from '../store/tables.ts'
import type { Tombstones } from '../tombstones/tombstones.ts'
import { jsonWithoutForgotten } from '../tombstones/without-forgotten.ts'
import type { SeriesPartRecord } from './event-record.ts'
import { isForgottenPart, isForgottenText, threadIdWithoutForgotten } from './forgotten-events.ts'

export interface SeriesContext {
  readonly adapter: string
  readonly tombstones: Tombstones | undefined
}

export async function putSeriesPart(tx: WriteTx, record: SeriesPartRecord, { adapter, tombstones }: SeriesContext): Promise<boolean> {
  const { series, part } = record
  if (tombstones !== undefined && isForgotten(record, tombstones)) return false
  const before = await tx.db
    .selectFrom('series_parts')
    .select(['version', 'body_json', 'thread_id', 'ends_at', 'agent_id'])
    .where('series', '=', series)
    .where('part', '=', part)
    .executeTakeFirst()
  if (before !== undefined && record.version < before.version) return false
  if (part === '' && !(await replacesEvent(tx, record, adapter))) return false
  const written = JSON.stringify(record.body)
  const row = {
    ...{
      series,
      part,
      thread_id: tombstones === undefined ? record.thread : threadIdWithoutForgotten(record.thread, tombstones),
      version: record.version,
      ends_at: record.endsAt,
      agent_id: record.agentId,
    },
    body_json: tombstones === undefined ? written : (jsonWithoutForgotten(written, tombstones) ?? written),
  }
  if (before !== undefined && (Object.keys(before) as (keyof typeof before)[]).every((key) => before[key] === row[key])) return false
  await put(tx, { ...row, revision: await nextRevision(tx) })
  return before === undefined
}

function isForgotten({ series, part, content, thread }: SeriesPartRecord, tombstones: Tombstones): boolean {
  return isForgottenPart({ series, part, thread_id: thread }, tombstones) || isForgottenText(content, tombstones)
}

/** For forget. Occurrences derived only from the rule are deleted too. */
export async function removeSeriesPart(tx: WriteTx, { series, part }: { readonly series: string; readonly part: string }): Promise<void> {
  await tx.db.deleteFrom('series_parts').where('series', '=', series).where('part', '=', part).execute()
  if (part !== '') return
  const changed = await tx.db.selectFrom('series_parts').select('part').where('series', '=', series).execute()
  const kept = new Set(changed.map((other) => `calendar:${series}/${other.part}`))
  const made = await tx.db.selectFrom('events').select('id').where('thread_id', '=', `calendar:${series}`).execute()
  for (const { id } of made) if (!kept.has(id)) await tx.db.deleteFrom('events').where('id', '=', id).execute()
}

/** For forget: the events are rebuilt. */
export async function changeSeriesPart(
  tx: WriteTx,
  { series, part }: { readonly series: string; readonly part: string },
  values: { readonly thread_id: string; readonly body_json: string },
): Promise<void> {
  const row = tx.db.updateTable('series_parts').set({ ...values, revision: await nextRevision(tx) })
  await row.where('series', '=', series).where('part', '=', part).execute()
}

/** A single event became a series. Returns false if the stored one is newer. */
async function replacesEvent(tx: WriteTx, { series, version }: SeriesPartRecord, adapter: string): Promise<boolean> {
  const single = await tx.db
    .selectFrom('events')
    .select(['id', 'metadata_json'])
    .where('source_adapter', '=', adapter)
    .where('source_id', '=', series)
    .executeTakeFirst()
  if (single === undefined) return true
  const { version: stored } = JSON.parse(single.metadata_json ?? '{}') as { version?: unknown }
  if (typeof stored === 'string' && version < stored) return false
  await tx.db.deleteFrom('events').where('id', '=', single.id).execute()
  return true
}

/** A series became a single event; the next derivation removes its events. Returns false if the rule is newer. */
export async function replacesRule(
  tx: WriteTx,
  event: Insertable<EventsTable> & { readonly version: string | undefined },
): Promise<boolean> {
  if (event.version === undefined) return true
  const rule = await tx.db
    .selectFrom('series_parts')
    .select('version')
    .where('series', '=', event.source_id)
    .where('part', '=', '')
    .executeTakeFirst()
  if (rule === undefined) return true
  if (event.version < rule.version) return false
  await tx.db.deleteFrom('series_parts').where('series', '=', event.source_id).where('part', '=', '').execute()
  return true
}

async function put(tx: WriteTx, row: Insertable<SeriesPartsTable>): Promise<void> {
  const { series: _, part: __, ...values } = row
  await tx.db
    .insertInto('series_parts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['series', 'part']).doUpdateSet(values))
    .execute()
}

/** Revisions are never reused, even if the newest part was removed. */
async function nextRevision({ db }: WriteTx): Promise<number> {
  const next = Number((await readMeta(db, META.seriesRevision)) ?? 0) + 1
  await writeMeta(db, META.seriesRevision, String(next))
  return next
}

const SAID: ReadonlySet<unknown> = new Set(['summary', 'location', 'description', 'x-alt-desc'])

export function saidInSeries(body: string): string[] {
  const { properties } = JSON.parse(body) as { properties?: unknown }
  if (!Array.isArray(properties)) return []
  return properties.flatMap((one) => (Array.isArray(one) && SAID.has(one[0]) && typeof one[3] === 'string' ? [one[3]] : []))
}
