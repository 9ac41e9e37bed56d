/**
 * What a person decided, as events of source `owner`: the truth of it, as messages are the truth of what was said. What is made of the ledgers can be
 * thrown away and made again, and is then what the owner decided it to be. Nothing is changed afterwards: a decision that is taken back is another event.
 * What an agent asks for is an event of another source, `proposed`, and counts for nothing until the owner says the same.
 */
import { shortHash } from '../core/hash.ts'
import type { WriteTx } from '../store/store.ts'
import type { OneEventRecord, ThreadRecord } from './event-record.ts'
import { eventsWriter } from './events-writer.ts'

/** The adapter by which decisions of the owner are known, and their channel. */
export const OWNER = 'owner'
/** The same for what an agent asks for. */
export const PROPOSED = 'proposed'

export interface OwnerDecision {
  /** `entity_merge`, … */
  readonly type: string
  /** What it is about, in one order: with how many times it was decided before, this makes the id. */
  readonly about: readonly string[]
  readonly agentId: string
  /** In words, for those who read the events; null where ids say it all. */
  readonly says: string | null
  readonly now: number
  /** Beside `type`. */
  readonly facts: Readonly<Record<string, unknown>>
  /** Whose word it is; the owner's when absent. */
  readonly by?: typeof OWNER | typeof PROPOSED
  /** Where it is to be read and found, as what people write is. */
  readonly thread?: ThreadRecord
}

/** Gives the id of the event; undefined where it was forgotten, and nothing is written. */
export async function writeOwnerDecision(
  tx: WriteTx,
  { type, about, agentId, says, now, facts, by = OWNER, thread }: OwnerDecision,
): Promise<string | undefined> {
  const before = await lastDecision(tx, about.join('\n'), { agentId, by })
  const sourceId = shortHash(32, JSON.stringify([agentId, type, about, before.count, ...(by === OWNER ? [] : [by])]))
  const record: OneEventRecord = {
    ...{ type: 'event', id: `${by}:${sourceId}`, sourceId, channel: by, contentTypes: ['text'], content: says },
    ...(by === OWNER ? ({ direction: 'sent', trust: 'owner' } as const) : ({ direction: 'observed', trust: 'agent' } as const)),
    // Two in one millisecond are still one after the other.
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
