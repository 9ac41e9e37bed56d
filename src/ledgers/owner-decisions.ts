/**
 * Decisions of the owner are append-only events of source `owner`; undoing one adds another. Derived data is rebuilt from them. An agent's
 * requests are events of source `proposed` and have no effect until the owner confirms.
 */
import { shortHash } from '../core/hash.ts'
import type { WriteTx } from '../store/store.ts'
import type { OneEventRecord, ThreadRecord } from './event-record.ts'
import { eventsWriter } from './events-writer.ts'

export const OWNER = 'owner'
export const PROPOSED = 'proposed'

export interface OwnerDecision {
  readonly type: string
  /** Ordered. With the number of earlier decisions, it forms the id. */
  readonly about: readonly string[]
  readonly agentId: string
  /** Readable text; null if ids suffice. */
  readonly says: string | null
  readonly now: number
  readonly facts: Readonly<Record<string, unknown>>
  readonly by?: typeof OWNER | typeof PROPOSED
  /** Set if the decision must be searchable as text. */
  readonly thread?: ThreadRecord
}

/** Returns the event id; undefined if it was forgotten, and nothing is written. */
export async function writeOwnerDecision(
  tx: WriteTx,
  { type, about, agentId, says, now, facts, by = OWNER, thread }: OwnerDecision,
): Promise<string | undefined> {
  const before = await lastDecision(tx, about.join('\n'), { agentId, by })
  const sourceId = shortHash(32, JSON.stringify([agentId, type, about, before.count, ...(by === OWNER ? [] : [by])]))
  const record: OneEventRecord = {
    ...{ type: 'event', id: `${by}:${sourceId}`, sourceId, channel: by, contentTypes: ['text'], content: says },
    ...(by === OWNER ? ({ direction: 'sent', trust: 'owner' } as const) : ({ direction: 'observed', trust: 'agent' } as const)),
    // Keeps the order of decisions within a millisecond.
    ...{ timestamp: Math.max(now, before.at + 1), agentId, thread: thread?.id ?? null },
    metadata: { type, about: about.join('\n'), ...facts },
  }
  await eventsWriter({ adapter: by }).apply(tx, thread === undefined ? [record] : [thread, record])
  const written = await tx.db.selectFrom('events').select('id').where('id', '=', record.id).executeTakeFirst()
  return written?.id
}

async function lastDecision(
  tx: WriteTx,
  about: string,
  { agentId, by }: { readonly agentId: string; readonly by: string },
): Promise<{ count: number; at: number }> {
  const rows = await tx.db
    .selectFrom('events')
    .select(['timestamp', 'metadata_json'])
    .where('source_adapter', '=', by)
    .where('agent_id', '=', agentId)
    .execute()
  const same = rows.filter(({ metadata_json }) => (JSON.parse(metadata_json ?? '{}') as { about?: unknown }).about === about)
  return { count: same.length, at: Math.max(0, ...same.map(({ timestamp }) => timestamp)) }
}
