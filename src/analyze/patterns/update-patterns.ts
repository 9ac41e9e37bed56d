/**
 * Recomputes habits of people whose events changed (`pattern_waiting`, filled by triggers). Stores inferred relationships with the counted
 * events as evidence. Idempotent.
 */
import type { Clock } from '../../core/clock.ts'
import { shortHash } from '../../core/hash.ts'
import { throwIfStopped } from '../../core/stopped.ts'
import { leastTrusted, type Trust } from '../../core/trust.ts'
import { scopeOfEntity } from '../../graph/read/entity-scope.ts'
import { canonicalOf } from '../../graph/same-entity.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import { type Contact, type Habit, habitsOf } from './habits.ts'

export interface UpdatePatternsOptions {
  readonly clock: Clock
  readonly timezone: string
  /** Normalized handles of the owner, who does not contact themselves. */
  readonly own: ReadonlySet<string>
  readonly guard: (tx: WriteTx) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

export interface PatternsReport {
  readonly counted: number
  readonly patterns: number
}

const AT_ONCE = 200
const MOST_EVENTS = 500
const MONTHS_MS = 180 * 86_400_000
const WRITTEN = ['imessage', 'gmail']

export async function updatePatterns(store: Store, options: UpdatePatternsOptions): Promise<PatternsReport> {
  let [counted, patterns] = [0, 0]
  const channels = (await store.read.selectFrom('events').select('channel').distinct().where('channel', 'in', WRITTEN).execute()).length
  for (;;) {
    throwIfStopped(options.signal, 'counting patterns')
    const rows = await store.read.selectFrom('pattern_waiting').select('entity_id').orderBy('entity_id').limit(AT_ONCE).execute()
    if (rows.length === 0) return { counted, patterns }
    const waiting = rows.map(({ entity_id }) => entity_id)
    const now = await canonicalOf(store, waiting)
    for (const id of new Set([...waiting, ...now.values()])) {
      throwIfStopped(options.signal, 'counting patterns')
      // A merged entity counts with its canonical one.
      const isOne = (now.get(id) ?? id) === id
      const found = isOne ? await countedOf(store, id, channels, options) : undefined
      patterns += await write(store, id, found, options)
      counted += isOne ? 1 : 0
    }
  }
}

interface Counted {
  readonly agentId: string
  readonly contacts: readonly (Contact & { readonly trust: Trust })[]
  readonly habits: readonly Habit[]
}

async function countedOf(
  store: Store,
  id: string,
  channels: number,
  { timezone, own }: UpdatePatternsOptions,
): Promise<Counted | undefined> {
  const entity = await store.read.selectFrom('entities').select(['name', 'type', 'agent_id']).where('id', '=', id).executeTakeFirst()
  if (entity?.type !== 'person') return undefined
  const { handles } = await scopeOfEntity(store, id)
  if (handles.length === 0 || handles.some((handle) => own.has(handle))) return undefined
  const rows = await store.read
    .selectFrom('event_people as p')
    .innerJoin('events as e', 'e.id', 'p.event_id')
    .select(['e.id', 'e.timestamp', 'e.channel', 'e.trust'])
    .distinct()
    .where('p.handle', 'in', handles)
    .where('p.role', '=', 'from')
    .where('e.channel', 'in', WRITTEN)
    .where('e.agent_id', '=', entity.agent_id)
    .where('e.source_adapter', '<>', 'derived')
    // Newsletters have habits too, of no interest.
    .where('e.trust', '<>', 'untrusted')
    .orderBy('e.timestamp', 'desc')
    .orderBy('e.id')
    .limit(MOST_EVENTS)
    .execute()
  const newest = rows[0]?.timestamp ?? 0
  const contacts = rows
    .filter(({ timestamp }) => newest - timestamp <= MONTHS_MS)
    .map(({ id: event, timestamp, channel, trust }) => ({ event, timestamp, channel, trust: trust as Trust }))
  return { agentId: entity.agent_id, contacts, habits: habitsOf(contacts, { timezone, name: entity.name, channels }) }
}

const TYPES: readonly Habit['type'][] = ['TYPICALLY_CONTACTS_AT', 'PREFERS_CHANNEL', 'COMMUNICATION_FREQUENCY']

/** Replaces the old rows and dequeues the entity, unless an event came meanwhile. */
async function write(store: Store, id: string, found: Counted | undefined, { guard, clock }: UpdatePatternsOptions): Promise<number> {
  return store.write(async (tx) => {
    await guard(tx)
    const idFor = (type: string) => shortHash(32, 'pattern', id, type)
    const before = await tx.db
      .selectFrom('relationships')
      .select(['id', 'fact', 'recorded_at'])
      .where('id', 'in', TYPES.map(idFor))
      .execute()
    await tx.db.deleteFrom('relationships').where('id', 'in', TYPES.map(idFor)).execute()
    await tx.db.deleteFrom('pattern_waiting').where('entity_id', '=', id).execute()
    if (found === undefined) return 0
    const { contacts, agentId, habits } = found
    if (!(await areThere(tx, contacts))) {
      // A counted event is gone: queue again.
      await tx.db.insertInto('pattern_waiting').values({ entity_id: id }).execute()
      return 0
    }
    for (const { type, value, confidence, fact, supports } of habits) {
      const times = contacts.map(({ timestamp }) => timestamp)
      await tx.db
        .insertInto('relationships')
        .values({
          ...{ id: idFor(type), agent_id: agentId, subject_id: id, type, object_id: null, target_literal: value, fact },
          ...{ source_type: 'inferred', confidence, valid_at: Math.min(...times), invalid_at: null, created_at: Math.max(...times) },
          recorded_at: before.find((row) => row.id === idFor(type) && row.fact === fact)?.recorded_at ?? clock(),
          ...{ run_id: null, message_id: null, span_start: null, span_end: null },
          trust: leastTrusted(contacts.map(({ trust }) => trust)),
        })
        .execute()
      for (const { event } of contacts)
        await tx.db
          .insertInto('pattern_events')
          .values({ relationship_id: idFor(type), event_id: event, supports: Number(supports.has(event)) })
          .execute()
    }
    return habits.length
  })
}

async function areThere(tx: WriteTx, contacts: readonly Contact[]): Promise<boolean> {
  for (let from = 0; from < contacts.length; from += AT_ONCE) {
    const ids = contacts.slice(from, from + AT_ONCE).map(({ event }) => event)
    const rows = await tx.db.selectFrom('events').select('id').where('id', 'in', ids).execute()
    if (rows.length < ids.length) return false
  }
  return true
}
