/** Feed with a cursor per agent. Never writes the ledger. */
import type { Kysely } from 'kysely'
import { AGENT_META } from '../store/meta.ts'
import type { Tables } from '../store/tables.ts'
import type { Feed, Waiting } from './indexable.ts'
import { openSession } from './session-group.ts'

const CURSOR = AGENT_META.indexCursor

export const sessionFeed: Feed = {
  scopes: async (db, agentId) => (agentId === undefined ? agentsWithSessions(db) : [agentId]),
  cursorKey: (agentId) => (agentId === 'main' ? CURSOR : `${CURSOR}:${agentId}`),
  newest,
  changed: (db, agentId, { after, upTo }) =>
    after === undefined ? allSessions(db, agentId, upTo) : movedSessions(db, agentId, { after, upTo }),
  open: openSession,
}

async function newest(db: Kysely<Tables>): Promise<number> {
  const row = await db.selectFrom('agent_session_history').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

/** Last changed first. */
function movedSessions(db: Kysely<Tables>, agentId: string, { after, upTo }: { readonly after: number; readonly upTo: number }): Waiting {
  const entries = (before: number) =>
    db
      .selectFrom('agent_session_history as h')
      .where('h.id', '>', after)
      .where('h.id', '<', before)
      .where((eb) => {
        const later = eb.selectFrom('agent_session_history as l').select('l.id').whereRef('l.session_id', '=', 'h.session_id')
        return eb.not(eb.exists(later.whereRef('l.id', '>', 'h.id').where('l.id', '<=', upTo)))
      })
      // A subquery instead of a join: SQLite would otherwise start from all sessions of the agent.
      .where((eb) => {
        const agent = eb.selectFrom('agent_sessions as s').select('s.agent_id').whereRef('s.id', '=', 'h.session_id')
        return eb(agent, '=', agentId)
      })
  return {
    async count() {
      const row = await entries(upTo + 1)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },
    async *pages(limit) {
      for (let before = upTo + 1; ; ) {
        const rows = await entries(before).select(['h.id', 'h.session_id']).orderBy('h.id', 'desc').limit(limit).execute()
        const end = rows.at(-1)
        if (end === undefined) return
        yield { ids: rows.map((row) => row.session_id) }
        if (rows.length < limit) return
        before = end.id
      }
    },
  }
}

/** Newest first. */
function allSessions(db: Kysely<Tables>, agentId: string, upTo: number): Waiting {
  const all = () => db.selectFrom('agent_sessions').where('agent_id', '=', agentId).where('status', '<>', 'deleted')
  const timed = (at: number, last: string) =>
    all()
      .select(['id', 'last_message_at as at'])
      .where('last_message_at', '<=', at)
      .where((eb) => eb.or([eb('last_message_at', '<', at), eb('id', '>', last)]))
      .orderBy('last_message_at', 'desc')
  const untimed = (_at: number, last: string) =>
    all()
      .select((eb) => ['id', eb.val(Number.MAX_SAFE_INTEGER).as('at')])
      .where('last_message_at', 'is', null)
      .where('id', '>', last)
  return {
    async count() {
      const row = await all()
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },
    async *pages(limit) {
      for (const next of [timed, untimed]) {
        for (let [at, last] = [Number.MAX_SAFE_INTEGER, '']; ; ) {
          const rows = await next(at, last).orderBy('id').limit(limit).execute()
          const end = rows.at(-1)
          if (end === undefined) break
          yield { ids: rows.map(({ id }) => id) }
          if (rows.length < limit) break
          at = Number(end.at)
          last = end.id
        }
      }
      // Sessions active meanwhile moved to the front and may have been skipped.
      yield* movedSessions(db, agentId, { after: upTo, upTo: await newest(db) }).pages(limit)
    },
  }
}

/** One lookup per agent. */
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
