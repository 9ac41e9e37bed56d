/** What is settled about a session once a unit is read to its end: its head, and what is open, final and superseded. */
import type { Clock } from '../core/clock.ts'
import type { WriteTx } from '../store/store.ts'

export interface Quiet {
  readonly clock: Clock
  readonly quietMs: number
}

/** Moves the head to the turn of the newest message, settles what is open, final and superseded, and appends to the history. */
export async function finishSession(tx: WriteTx, id: string, { clock, quietMs }: Quiet): Promise<void> {
  const last = await tx.agents.lastMessage(id)
  const head = last && (await tx.agents.turnsOfOpeners([last.opener_id])).get(last.opener_id)
  if (head === undefined) return
  const session = await tx.db.selectFrom('agent_sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const ended = session.conversation_state === 'ended' || (session.last_message_at ?? 0) < clock() - quietMs
  if (session.status !== 'deleted') {
    await tx.db
      .updateTable('agent_sessions')
      .set({ head_turn_id: head.id, status: ended ? 'ended' : 'active', ended_at: ended ? session.last_message_at : null })
      .where('id', '=', id)
      .execute()
  }
  await tx.db.updateTable('agent_turns').set({ status: 'final' }).where('session_id', '=', id).where('status', '=', 'open').execute()
  if (await hasBranches(tx, id)) await tx.agents.supersede(id, head.id)
  await tx.db
    .updateTable('agent_turns')
    .set({ status: ended ? 'final' : 'open' })
    .where('id', '=', head.id)
    .execute()
  await announce(tx, id, head.id, clock)
}

/** Tells those who follow the ledger that something about this session is new. */
export async function announce(tx: WriteTx, sessionId: string, head: string, clock: Clock): Promise<void> {
  await tx.db.insertInto('agent_session_history').values({ session_id: sessionId, thread_id: head, created_at: clock() }).execute()
}

/** Sessions that fell silent since: ended, and their last turn final. */
export async function endQuietSessions(tx: WriteTx, { clock, quietMs }: Quiet): Promise<number> {
  const silent = await tx.db
    .selectFrom('agent_sessions')
    .select(['id', 'head_turn_id'])
    .where('status', '=', 'active')
    .where((is) => is.or([is('last_message_at', '<', clock() - quietMs), is('conversation_state', '=', 'ended')]))
    .execute()
  for (const { id, head_turn_id } of silent) {
    await tx.db
      .updateTable('agent_sessions')
      .set((is) => ({ status: 'ended', ended_at: is.ref('last_message_at') }))
      .where('id', '=', id)
      .execute()
    if (head_turn_id !== null) await tx.db.updateTable('agent_turns').set({ status: 'final' }).where('id', '=', head_turn_id).execute()
  }
  return silent.length
}

async function hasBranches(tx: WriteTx, id: string): Promise<boolean> {
  const fork = await tx.db
    .selectFrom('agent_turns')
    .select('parent_turn_id')
    .where('session_id', '=', id)
    .groupBy('parent_turn_id')
    .having((is) => is.fn.countAll(), '>', 1)
    .limit(1)
    .executeTakeFirst()
  return fork !== undefined
}
