import type { Kysely } from 'kysely'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import { sessionEpisode, sessionEpisodeId } from './agent-session.ts'
import { TURNS_AT_ONCE, type Turn, turnEpisodeId, turnEpisodes, turnsFrom } from './agent-turn.ts'
import type { GroupingRule } from './definitions.ts'
import type { EpisodeRow, EpisodeWriter } from './write-episodes.ts'

/** Queued without a changed turn: only the session itself changed. */
const NO_TURN = Number.MAX_SAFE_INTEGER
const SESSIONS_AT_ONCE = 50

export interface SessionsStep {
  readonly rules: readonly GroupingRule[]
  readonly writer: EpisodeWriter
}

export async function regroupWaitingSessions(tx: WriteTx, step: SessionsStep): Promise<{ sessions: number; more: boolean }> {
  for (let sessions = 0; sessions < SESSIONS_AT_ONCE; sessions++) {
    const [waiting] = await nextWaiting(tx.db, {})
    if (waiting === undefined) return { sessions, more: false }
    const { session_id: id, first_sequence: from } = waiting
    const next = await regroupSession(tx, id, { ...step, from, touched: from < NO_TURN })
    if (next !== undefined) {
      await shorten(tx.db, { id, from: next })
      return { sessions, more: true }
    }
    await leaveQueue(tx.db, { id })
  }
  return { sessions: SESSIONS_AT_ONCE, more: true }
}

export interface SessionPart extends SessionsStep {
  readonly from: number
  readonly touched: boolean
}

/** Handles a limited number of turns; the last step also updates the session's episode. Returns the next sequence, if any. */
export async function regroupSession(tx: WriteTx, id: string, { rules, writer, from, touched }: SessionPart): Promise<number | undefined> {
  const session = await tx.db.selectFrom('agent_sessions').selectAll().where('id', '=', id).executeTakeFirst()
  if (session === undefined) return undefined
  const of = (strategy: GroupingRule['strategy']) =>
    rules.filter((rule) => rule.strategy === strategy && (rule.channel === null || rule.channel === session.source))
  const turns = from < NO_TURN ? await turnsFrom(tx.db, { session: id, from }) : []
  for (const rule of of('agent_turn')) {
    if (turns.length === 0) continue
    const stored = await storedOf(tx.db, turns, (turn) => turnEpisodeId(rule, id, turn.opener_id))
    // A changed text replaces the turn, and its episode with it.
    for (const made of await turnEpisodes(tx.db, { rule, session, turns }))
      await writer.put(made, { stored: stored.get(made.id), touched: false })
  }
  if (turns.length === TURNS_AT_ONCE) return (turns.at(-1) as Turn).sequence + 1
  for (const rule of of('agent_session')) {
    const [stored] = await episodeRow(tx.db, { id: sessionEpisodeId(id, rule.id) })
    const made = await sessionEpisode(tx, { rule, session })
    if (made !== undefined) await writer.put(made, { stored, touched })
    else if (stored !== undefined) await writer.remove(stored.id)
  }
  return undefined
}

async function storedOf(db: Kysely<Tables>, turns: readonly Turn[], idOf: (turn: Turn) => string): Promise<Map<string, EpisodeRow>> {
  const rows = await db.selectFrom('episodes').selectAll().where('id', 'in', turns.map(idOf)).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export async function waitingSessions(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('episode_sessions_waiting')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function waitAllSessions({ db }: WriteTx): Promise<void> {
  await db
    .insertInto('episode_sessions_waiting')
    .columns(['session_id', 'first_sequence'])
    .expression((eb) =>
      eb
        .selectFrom('agent_sessions')
        .select((of) => ['id', of.val(0).as('first_sequence')])
        .where('id', 'is not', null),
    )
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ first_sequence: 0 }))
    .execute()
}

const episodeRow = compiledOnce((db, { id }: { id: string }) => db.selectFrom('episodes').selectAll().where('id', '=', id))

const nextWaiting = compiledOnce<object, { session_id: string; first_sequence: number }>((db) =>
  db.selectFrom('episode_sessions_waiting').selectAll().orderBy('session_id').limit(1),
)

const leaveQueue = compiledOnce((db, { id }: { id: string }) => db.deleteFrom('episode_sessions_waiting').where('session_id', '=', id))

const shorten = compiledOnce((db, { id, from }: { id: string; from: number }) =>
  db.updateTable('episode_sessions_waiting').set({ first_sequence: from }).where('session_id', '=', id),
)
