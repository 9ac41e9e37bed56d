/** Makes the summaries that a new database over older files lacks: the top of MEMORY.md is made of them. By rules; asks no model. */

import { LedgerMoved } from '../publish/forgotten-meanwhile.ts'
import { loadSession, summarize } from '../publish/load-set.ts'
import type { PublishContext } from '../publish/publish-context.ts'
import { keepAnalyses } from '../publish/set-files.ts'
import { windowStart } from '../render/ledger-row.ts'
import { MOST_SESSIONS, summariesOf } from '../render/memory-head.ts'

/** Gives how many were missing and could be made: of published sessions of the window that the ledger holds. */
export async function makeMissingSummaries(context: PublishContext, agentId: string): Promise<number> {
  const { store, clock } = context
  const rows = await store.read
    .selectFrom('artifacts as a')
    .innerJoin('agent_sessions as s', 's.id', 'a.session_id')
    .select('a.session_id')
    .where('a.agent_id', '=', agentId)
    .where('a.source_kind', '=', 'summary')
    .where('a.membership_ts', '>=', windowStart(clock()))
    .orderBy('a.membership_ts', 'desc')
    .limit(MOST_SESSIONS)
    .execute()
  const ids = [...new Set(rows.map(({ session_id }) => session_id))]
  const there = await summariesOf(store, ids)
  let made = 0
  for (const id of ids) if (!there.has(id) && (await makeOne(context, id))) made += 1
  return made
}

async function makeOne(context: PublishContext, sessionId: string): Promise<boolean> {
  const loaded = await loadSession(context.store, sessionId)
  if (loaded === undefined) return false
  const { summary } = await summarize(context.store, loaded)
  try {
    return await keepAnalyses(context, loaded, [{ type: 'session_summary', output: summary, implementation: 'rules' }])
  } catch (error) {
    if (error instanceof LedgerMoved) return false // made the next time, when the session stands still
    throw error
  }
}
