/** The episode of a whole session, one for each: what analyses say of the session belongs to it. */
import type { Clock } from '../core/clock.ts'
import { shortHash } from '../core/hash.ts'
import type { WriteTx } from '../store/store.ts'
import { seedDefinitions } from './definitions.ts'

/** The definition by which the episodes of whole sessions are known. */
export const SESSION_EPISODE = 'agent_session'

/** The id of a session's episode, whether or not it exists. */
export function sessionEpisodeId(sessionId: string): string {
  return shortHash(32, SESSION_EPISODE, '\n', sessionId)
}

/** Creates the episode, or updates its span. Returns its id; undefined where there is no such session or nothing in it. */
export async function ensureSessionEpisode(tx: WriteTx, sessionId: string, clock: Clock): Promise<string | undefined> {
  const session = await tx.db.selectFrom('agent_sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
  const ends = await tx.db
    .selectFrom('agent_messages')
    .select((eb) => [eb.fn.min('sequence').as('first'), eb.fn.max('sequence').as('last'), eb.fn.countAll<number>().as('count')])
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  if (session === undefined || ends === undefined || ends.count === 0) return undefined
  const messageAt = async (sequence: number | null) =>
    (
      await tx.db
        .selectFrom('agent_messages')
        .select('id')
        .where('session_id', '=', sessionId)
        .where('sequence', '=', sequence ?? 0)
        .executeTakeFirst()
    )?.id ?? null
  await seedDefinitions(tx, clock)
  const start = session.started_at ?? session.created_at ?? 0
  const values = {
    channel: session.source,
    thread_id: sessionId,
    agent_id: session.agent_id,
    start_time: start,
    end_time: session.last_message_at ?? start,
    event_count: ends.count,
    first_event_id: await messageAt(ends.first),
    last_event_id: await messageAt(ends.last),
    trust: session.trust,
  }
  const id = sessionEpisodeId(sessionId)
  await tx.db
    .insertInto('episodes')
    .values({ id, definition_id: SESSION_EPISODE, ...values, created_at: clock() })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  return id
}
