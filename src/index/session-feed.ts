/** Sessions as a feed of the index: which changed since a cursor. Each agent has a cursor. Reads the ledger, never writes it. */
import type { Kysely } from 'kysely'
import { AGENT_META } from '../store/meta.ts'
import type { Tables } from '../store/tables.ts'
import type { Feed } from './indexable.ts'
import { openSession } from './session-group.ts'

const CURSOR = AGENT_META.indexCursor

export const sessionFeed: Feed = {
  scopes: async (db, agentId) => (agentId === undefined ? agentsWithSessions(db) : [agentId]),
  cursorKey: (agentId) => (agentId === 'main' ? CURSOR : `${CURSOR}:${agentId}`),
  async newest(db) {
    const row = await db.selectFrom('agent_session_history').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
    return row?.id ?? 0
  },
  changed: (db, agentId, after) => (after === undefined ? allSessions(db, agentId) : movedSessions(db, agentId, after)),
  open: openSession,
}

/** The sessions of an agent with history after `after`, the last changed first. */
async function movedSessions(db: Kysely<Tables>, agentId: string, after: number): Promise<string[]> {
  // With a condition on the agent, the engine would begin with all its sessions; so the query asks for what is new, of all agents.
  const rows = await db
    .selectFrom('agent_session_history as h')
    .leftJoin('agent_sessions as s', 's.id', 'h.session_id')
    .select(['h.session_id', 's.agent_id'])
    .where('h.id', '>', after)
    .orderBy('h.id', 'desc')
    .execute()
  return [...new Set(rows.filter((row) => row.agent_id === agentId).map((row) => row.session_id))]
}

/** All sessions of an agent that can be indexed, newest first. */
async function allSessions(db: Kysely<Tables>, agentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('agent_sessions')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('status', '<>', 'deleted')
    .orderBy('last_message_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** One look-up for each agent, however many sessions there are. */
async function agentsWithSessions(db: Kysely<Tables>): Promise<string[]> {
  const agents: string[] = []
  for (;;) {
    const next = await db
      .selectFrom('agent_sessions')
      .select('agent_id')
      .where('agent_id', '>', agents.at(-1) ?? '')
      .orderBy('agent_id')
      .limit(1)
      .executeTakeFirst()
    if (next === undefined) return agents
    agents.push(next.agent_id)
  }
}
