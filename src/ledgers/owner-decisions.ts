/**
 * What a person decided, as events of source `owner`: the truth of it, as messages are the truth of what was said. What is made of the ledgers can be
 * thrown away and made again, and is then what the owner decided it to be. Nothing is changed afterwards: a decision that is taken back is another event.
 */
import { shortHash } from '../core/hash.ts'
import type { WriteTx } from '../store/store.ts'
import type { OneEventRecord } from './event-record.ts'
import { eventsWriter } from './events-writer.ts'

/** The adapter by which decisions of the owner are known, and their channel. */
export const OWNER = 'owner'

export interface OwnerDecision {
  /** `entity_merge`, … */
  readonly type: string
  /** What it is about, in one order: with how many times it was decided before, this makes the id. */
  readonly about: readonly string[]
  readonly agentId: string
  /** In words, for those who read the events. */
  readonly says: string
  readonly now: number
  /** Beside `type`. */
  readonly facts: Readonly<Record<string, unknown>>
}

/** Gives the id of the event; undefined where it was forgotten, and nothing is written. */
export async function writeOwnerDecision(
  tx: WriteTx,
  { type, about, agentId, says, now, facts }: OwnerDecision,
): Promise<string | undefined> {
  const before = await lastDecision(tx, about.join('\n'), agentId)
  const sourceId = shortHash(32, JSON.stringify([agentId, type, about, before.count]))
  const record: OneEventRecord = {
    ...{ type: 'event', id: `${OWNER}:${sourceId}`, sourceId, channel: OWNER, contentTypes: ['text'], content: says, direction: 'sent' },
    // Two in one millisecond are still one after the other.
    ...{ timestamp: Math.max(now, before.at + 1), trust: 'owner', agentId },
    metadata: { type, about: about.join('\n'), ...facts },
  }
  await eventsWriter({ adapter: OWNER }).apply(tx, [record])
  const written = await tx.db.selectFrom('events').select('id').where('id', '=', record.id).executeTakeFirst()
  return written?.id
}

async function lastDecision(tx: WriteTx, about: string, agentId: string): Promise<{ count: number; at: number }> {
  const rows = await tx.db
    .selectFrom('events')
    .select(['timestamp', 'metadata_json'])
    .where('source_adapter', '=', OWNER)
    .where('agent_id', '=', agentId)
    .execute()
  const same = rows.filter(({ metadata_json }) => (JSON.parse(metadata_json ?? '{}') as { about?: unknown }).about === about)
  return { count: same.length, at: Math.max(0, ...same.map(({ timestamp }) => timestamp)) }
}
