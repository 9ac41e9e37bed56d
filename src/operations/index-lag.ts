/** How far the index is behind the ledger: sessions whose history goes on beyond the cursor of their agent. */
import { readCursor } from '../index/follow.ts'
import { sessionFeed } from '../index/session-feed.ts'
import type { Store } from '../store/store.ts'

/** The last entry of the history that the index of an agent has seen; 0 before the first run. */
export async function indexCursor(store: Store, agentId: string): Promise<number> {
  return (await readCursor({ store }, { feed: sessionFeed, scope: agentId })) ?? 0
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
