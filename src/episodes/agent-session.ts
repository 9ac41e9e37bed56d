import type { Selectable } from 'kysely'
import type { Clock } from '../core/clock.ts'
import { shortHash } from '../core/hash.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import type { AgentSessionsTable } from '../store/tables.ts'
import { type GroupingRule, seedDefinitions } from './definitions.ts'
import { trustOfSpeech } from './trust-of-speech.ts'
import { episodeWriter, type MadeEpisode } from './write-episodes.ts'

export const SESSION_EPISODE = 'agent_session'

/** Computable before the episode exists. */
export function sessionEpisodeId(sessionId: string, definition = SESSION_EPISODE): string {
  return shortHash(32, definition, '\n', sessionId)
}

export async function sessionEpisode(
  { db }: WriteTx,
  { rule, session }: { rule: Pick<GroupingRule, 'id'>; session: Selectable<AgentSessionsTable> },
): Promise<MadeEpisode | undefined> {
  const [ends] = await endsOf(db, { session: session.id })
  if (ends === undefined || ends.first === null || ends.last === null) return undefined
  const [first] = await messageAt(db, { session: session.id, sequence: ends.first })
  const [last] = await messageAt(db, { session: session.id, sequence: ends.last })
  const start = session.started_at ?? session.created_at ?? 0
  return {
    id: sessionEpisodeId(session.id, rule.id),
    definition_id: rule.id,
    channel: session.source,
    thread_id: session.id,
    agent_id: session.agent_id,
    start_time: start,
    end_time: session.last_message_at ?? start,
    event_count: ends.count,
    first_event_id: first?.id ?? null,
    last_event_id: last?.id ?? null,
    trust: trustOfSpeech(await labelsOf(db, { session: session.id })),
  }
}

/** Upserts. Undefined if the session is missing or empty. */
export async function ensureSessionEpisode(tx: WriteTx, sessionId: string, clock: Clock): Promise<string | undefined> {
  const session = await tx.db.selectFrom('agent_sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
  const made = session && (await sessionEpisode(tx, { rule: { id: SESSION_EPISODE }, session }))
  if (made === undefined) return undefined
  await seedDefinitions(tx, clock)
  const writer = await episodeWriter(tx, clock)
  const stored = await tx.db.selectFrom('episodes').selectAll().where('id', '=', made.id).executeTakeFirst()
  await writer.put(made, { stored, touched: false })
  await writer.finish()
  return made.id
}

const endsOf = compiledOnce((db, { session }: { session: string }) =>
  db
    .selectFrom('agent_messages')
    .select((eb) => [eb.fn.min('sequence').as('first'), eb.fn.max('sequence').as('last'), eb.fn.countAll<number>().as('count')])
    .where('session_id', '=', session),
)

const messageAt = compiledOnce((db, { session, sequence }: { session: string; sequence: number }) =>
  db.selectFrom('agent_messages').select('id').where('session_id', '=', session).where('sequence', '=', sequence).orderBy('id').limit(1),
)

const labelsOf = compiledOnce((db, { session }: { session: string }) =>
  db.selectFrom('agent_messages').select(['role', 'trust']).distinct().where('session_id', '=', session),
)
