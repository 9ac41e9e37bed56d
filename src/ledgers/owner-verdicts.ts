/**
 * What the owner said of two decisions: that one does not replace the other, or that it does. An event of the source `owner`: it is truth, no
 * rebuild takes it away, and it is read again whenever links are made. There is one for each pair; the last word counts.
 */
import type { Kysely } from 'kysely'
import { sha256 } from '../core/hash.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import { eventsWriter } from './events-writer.ts'
import { OWNER } from './owner-decisions.ts'

const TYPES = { separate: 'decisions_separate', join: 'decisions_join' } as const
const PREFIX = 'decisions:'

export interface DecisionVerdict {
  /** Ids of derived events. */
  readonly earlier: string
  readonly later: string
  readonly says: 'separate' | 'join'
}

export async function putVerdict(
  tx: WriteTx,
  { earlier, later, says }: DecisionVerdict,
  by: { now: number; agentId: string },
): Promise<void> {
  const sourceId = `${PREFIX}${sha256(`${earlier}\n${later}`).slice(0, 32)}`
  await eventsWriter({ adapter: OWNER }).apply(tx, [
    {
      ...{ type: 'event', id: `${OWNER}:${sourceId}`, sourceId, timestamp: by.now, channel: OWNER, contentTypes: ['text'], content: null },
      ...{ direction: 'sent', trust: 'owner', agentId: by.agentId, metadata: { type: TYPES[says], earlier, later } },
    },
  ])
}

export async function verdicts(db: Kysely<Tables>, agentId: string): Promise<DecisionVerdict[]> {
  const rows = await db
    .selectFrom('events')
    .select('metadata_json')
    .where('source_adapter', '=', OWNER)
    .where('source_id', '>=', PREFIX)
    .where('source_id', '<', `${PREFIX.slice(0, -1)};`)
    .where('agent_id', '=', agentId)
    .execute()
  return rows.flatMap(({ metadata_json }) => {
    const { type, earlier, later } = JSON.parse(metadata_json ?? '{}') as { type?: string; earlier?: string; later?: string }
    if (earlier === undefined || later === undefined) return []
    return [{ earlier, later, says: type === TYPES.join ? ('join' as const) : ('separate' as const) }]
  })
}
