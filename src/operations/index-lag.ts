/** How far the index is behind the ledger: sessions whose history goes on beyond the cursor of their agent. */
import type { Store } from '../store/store.ts'

const CURSOR = 'memory_sessions_ledger_cursor_v1'

/** The last entry of the history that the index of an agent has seen; 0 before the first run. */
export async function indexCursor(store: Store, agentId: string): Promise<number> {
  const key = agentId === 'main' ? CURSOR : `${CURSOR}:${agentId}`
  const row = await store.read.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()
  return Number(row?.value ?? 0)
}

/** Over all agents: each has a cursor of its own. */
export async function waitingSessions(store: Store): Promise<number> {
  const agents = await store.read.selectFrom('agent_sessions').select('agent_id').distinct().execute()
  let waiting = 0
  for (const { agent_id } of agents) {
    const row = await store.read
      .selectFrom('agent_session_history as h')
      .innerJoin('agent_sessions as s', 's.id', 'h.session_id')
      .select((is) => is.fn.count<number>('h.session_id').distinct().as('count'))
      .where('h.id', '>', await indexCursor(store, agent_id))
      .where('s.agent_id', '=', agent_id)
      .executeTakeFirstOrThrow()
    waiting += Number(row.count)
  }
  return waiting
}
