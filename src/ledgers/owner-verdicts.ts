/**
 * The owner's verdicts on whether one decision replaces another. Stored as `owner` events, so they survive rebuilds. The last verdict per
 * pair counts.
 */
import type { Kysely } from 'kysely'
import type { WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import { OWNER, writeOwnerDecision } from './owner-decisions.ts'

const TYPES = { separate: 'decisions_separate', join: 'decisions_join' } as const

export interface DecisionVerdict {
  readonly earlier: string
  readonly later: string
  readonly says: 'separate' | 'join'
}

export async function putVerdict(
  tx: WriteTx,
  { earlier, later, says }: DecisionVerdict,
  by: { now: number; agentId: string },
): Promise<void> {
  const before = (await verdicts(tx.db, by.agentId)).find((one) => one.earlier === earlier && one.later === later)
  if (before?.says === says) return
  await writeOwnerDecision(tx, {
    ...{ type: TYPES[says], about: ['decisions', earlier, later], agentId: by.agentId, says: null, now: by.now },
    facts: { earlier, later },
  })
}

export async function verdicts(db: Kysely<Tables>, agentId: string): Promise<DecisionVerdict[]> {
  const rows = await db
    .selectFrom('events')
    .select('metadata_json')
    .where('source_adapter', '=', OWNER)
    .where('agent_id', '=', agentId)
    .orderBy('timestamp')
    .orderBy('id')
    .execute()
  const last = new Map<string, DecisionVerdict>()
  for (const { metadata_json } of rows) {
    const { type, earlier, later } = JSON.parse(metadata_json ?? '{}') as { type?: string; earlier?: string; later?: string }
    if (earlier === undefined || later === undefined) continue
    // Re-inserts, so that the map is ordered by last verdict.
    last.delete(`${earlier}\n${later}`)
    last.set(`${earlier}\n${later}`, { earlier, later, says: type === TYPES.join ? 'join' : 'separate' })
  }
  return [...last.values()]
}
