/** Replaces all events of one session or episode, so that outdated ones disappear. Does not rewrite unchanged events. */
import { padded } from '../core/padded.ts'
import type { WriteTx } from '../store/store.ts'
import type { OneEventRecord } from './event-record.ts'
import { eventsWriter } from './events-writer.ts'

/** Adapter name of derived events; they join no episode. */
export const DERIVED = 'derived'

export interface DerivedUnit {
  readonly kind: 'session' | 'episode'
  readonly unit: string
}

export interface DerivedEvent {
  readonly record: OneEventRecord
  /** Ledger id of the source message, in either ledger. */
  readonly message: string
  /** The answered message, if it names the subject. The event is deleted with either message. */
  readonly answered?: string | undefined
}

/** Also dequeues the units. */
export async function replaceDerived(
  tx: WriteTx,
  units: readonly DerivedUnit[],
  derived: ReadonlyMap<string, readonly DerivedEvent[]>,
): Promise<{ added: number; removed: number }> {
  const sum = { added: 0, removed: 0 }
  const ids = padded(units.map(({ unit }) => unit))
  if (ids.length === 0) return sum
  const rows = await tx.db.selectFrom('derived_sources').select(['event_id', 'kind', 'unit']).where('unit', 'in', ids).execute()
  // Most units yield nothing.
  for (const one of units) {
    const before = rows.filter(({ kind, unit }) => kind === one.kind && unit === one.unit)
    const found = derived.get(one.unit) ?? []
    if (before.length + found.length === 0) continue
    const { added, removed } = await replaceOne(tx, one, found, before)
    sum.added += added
    sum.removed += removed
  }
  for (const kind of new Set(units.map((unit) => unit.kind))) {
    const some = padded(units.flatMap((one) => (one.kind === kind ? [one.unit] : [])))
    await tx.db.deleteFrom('derived_waiting').where('kind', '=', kind).where('unit', 'in', some).execute()
  }
  return sum
}

async function replaceOne(
  tx: WriteTx,
  { kind, unit }: DerivedUnit,
  derived: readonly DerivedEvent[],
  before: readonly { readonly event_id: string }[],
): Promise<{ added: number; removed: number }> {
  const wanted = new Set(derived.map(({ record }) => record.id))
  const gone = before.filter(({ event_id }) => !wanted.has(event_id))
  for (const { event_id } of gone) await tx.db.deleteFrom('events').where('id', '=', event_id).execute()
  const records = derived.map(({ record }) => record)
  const { added } = await eventsWriter({ adapter: DERIVED }).apply(tx, records)
  await putSources(tx, { kind, unit }, derived)
  return { added, removed: gone.length }
}

/** Forgotten events were not written and have no sources. */
async function putSources(tx: WriteTx, { kind, unit }: DerivedUnit, derived: readonly DerivedEvent[]): Promise<void> {
  if (derived.length === 0) return
  const ids = derived.map(({ record }) => record.id)
  const written = await tx.db.selectFrom('events').select('id').where('id', 'in', ids).execute()
  const stored = await tx.db.selectFrom('derived_sources').selectAll().where('event_id', 'in', ids).execute()
  const there = new Set(written.map(({ id }) => id))
  const known = new Map(stored.map((row) => [row.event_id, row]))
  for (const { record, message, answered = null } of derived) {
    const is = known.get(record.id)
    const same = is?.message === message && is.answered === answered && is.kind === kind && is.unit === unit
    if (!there.has(record.id) || same) continue
    await tx.db
      .insertInto('derived_sources')
      .values({ event_id: record.id, message, answered, kind, unit })
      .onConflict((conflict) => conflict.column('event_id').doUpdateSet({ message, answered, kind, unit }))
      .execute()
  }
}

export async function waitForAll(tx: WriteTx): Promise<void> {
  await tx.db
    .insertInto('derived_waiting')
    .columns(['kind', 'unit'])
    .expression((eb) =>
      eb
        .selectFrom('agent_sessions')
        .select((of) => [of.val<'session'>('session').as('kind'), 'id as unit'])
        .where('status', '<>', 'deleted')
        .where('is_subagent', '=', 0),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.db
    .insertInto('derived_waiting')
    .columns(['kind', 'unit'])
    .expression((eb) =>
      eb
        .selectFrom('episodes as e')
        .innerJoin('episode_definitions as d', 'd.id', 'e.definition_id')
        .select((of) => [of.val<'episode'>('episode').as('kind'), 'e.id as unit'])
        .where('d.strategy', 'in', ['time_gap', 'thread']),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
