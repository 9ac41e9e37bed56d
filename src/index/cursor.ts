/** How far the index has followed the history of sessions, one cursor a persona, and which sessions moved since. */
import type { Kysely } from 'kysely'
import { AGENT_META, type MetaKey, readMeta } from '../store/meta.ts'
import type { Tables } from '../store/tables.ts'

const CURSOR = AGENT_META.indexCursor

export function cursorKey(agentId: string): MetaKey {
  return agentId === 'main' ? CURSOR : `${CURSOR}:${agentId}`
}

/** The id of the last history row done with; undefined when none ever was. */
export async function readCursor(db: Kysely<Tables>, agentId: string): Promise<number | undefined> {
  const value = Number(await readMeta(db, cursorKey(agentId)))
  return Number.isSafeInteger(value) ? value : undefined
}

/** The newest history row of all; 0 without any. */
export async function newestHistory(db: Kysely<Tables>): Promise<number> {
  const row = await db.selectFrom('agent_session_history').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

/** The sessions of an agent with history behind `after`, each once, those that moved last first. */
export async function movedSessions(db: Kysely<Tables>, agentId: string, after: number): Promise<string[]> {
  // Asked for one agent, the engine would begin with all sessions of that agent; so it is asked for what is new alone.
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
export async function allSessions(db: Kysely<Tables>, agentId: string): Promise<string[]> {
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

/** Every agent that has a session. One look-up each, however many sessions there are. */
export async function agentsWithSessions(db: Kysely<Tables>): Promise<string[]> {
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
