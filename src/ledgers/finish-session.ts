import type { Clock } from '../core/clock.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'

export interface Quiet {
  readonly clock: Clock
  readonly quietMs: number
}

export async function finishSession(tx: WriteTx, id: string, { clock, quietMs }: Quiet): Promise<void> {
  const [session] = await sessionState(tx.db, { id })
  const named = session?.head_message_id ?? null
  if (named === '') return supersedeAll(tx, id, clock)
  const last = named === null ? await tx.agents.lastMessage(id) : (await tx.agents.messages([named])).get(named)
  const head = last && (await tx.agents.turnsOfOpeners([last.opener_id])).get(last.opener_id)
  if (head === undefined) return
  const lastAt = session?.last_message_at ?? null
  const ended = session?.conversation_state === 'ended' || (lastAt ?? 0) < clock() - quietMs
  const status = session?.status === 'deleted' ? 'deleted' : ended ? 'ended' : 'active'
  await setHead(tx.db, { id, head: head.id, status, endedAt: ended ? lastAt : null })
  await closeTurns(tx.db, { id })
  if (named !== null || (await forks(tx.db, { id })).length > 0) await tx.agents.supersede(id, head.id)
  await setTurnStatus(tx.db, { id: head.id, status: ended ? 'final' : 'open' })
  await announce(tx, id, head.id, clock)
}

/** Rewound to before the first message: no turn is current. */
async function supersedeAll(tx: WriteTx, id: string, clock: Clock): Promise<void> {
  const last = await tx.agents.lastMessage(id)
  await tx.db.updateTable('agent_turns').set({ status: 'superseded' }).where('session_id', '=', id).execute()
  await tx.db.updateTable('agent_sessions').set({ head_turn_id: null }).where('id', '=', id).execute()
  if (last !== undefined) await announce(tx, id, last.id, clock)
}

const sessionState = compiledOnce((db, { id }: { id: string }) =>
  db.selectFrom('agent_sessions').select(['status', 'conversation_state', 'last_message_at', 'head_message_id']).where('id', '=', id),
)

const setHead = compiledOnce((db, values: { id: string; head: string; status: 'ended' | 'active' | 'deleted'; endedAt: number | null }) =>
  db
    .updateTable('agent_sessions')
    .set({ head_turn_id: values.head, status: values.status, ended_at: values.endedAt })
    .where('id', '=', values.id),
)

const closeTurns = compiledOnce((db, { id }: { id: string }) =>
  db.updateTable('agent_turns').set({ status: 'final' }).where('session_id', '=', id).where('status', '=', 'open'),
)

const setTurnStatus = compiledOnce((db, { id, status }: { id: string; status: 'final' | 'open' }) =>
  db.updateTable('agent_turns').set({ status }).where('id', '=', id),
)

const forks = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('agent_turns')
    .select('parent_turn_id')
    .where('session_id', '=', id)
    .groupBy('parent_turn_id')
    .having((eb) => eb.fn.countAll(), '>', 1)
    .limit(1),
)

/** Tells index stages that the session changed. */
export async function announce(tx: WriteTx, sessionId: string, head: string, clock: Clock): Promise<void> {
  await addHistory(tx.db, { session_id: sessionId, thread_id: head, created_at: clock() })
}

const addHistory = compiledOnce((db, row: { session_id: string; thread_id: string; created_at: number }) =>
  db.insertInto('agent_session_history').values({ session_id: row.session_id, thread_id: row.thread_id, created_at: row.created_at }),
)

export async function endQuietSessions(tx: WriteTx, { clock, quietMs }: Quiet): Promise<number> {
  const silent = await tx.db
    .selectFrom('agent_sessions')
    .select(['id', 'head_turn_id'])
    .where('status', '=', 'active')
    .where((eb) => eb.or([eb('last_message_at', '<', clock() - quietMs), eb('conversation_state', '=', 'ended')]))
    .execute()
  for (const session of silent) await end(tx, session)
  return silent.length
}

/** A later message reactivates the session. */
export async function endSession(tx: WriteTx, { source, nativeId }: { readonly source: string; readonly nativeId: string }): Promise<void> {
  const active = await tx.db
    .selectFrom('agent_sessions')
    .select(['id', 'head_turn_id'])
    .where('source', '=', source)
    .where('native_id', '=', nativeId)
    .where('status', '=', 'active')
    .execute()
  for (const session of active) await end(tx, session)
}

/** The harness reported that the agent answered. If a next turn has begun, its own end counts. A later message reopens the turn. */
export async function endTurn(tx: WriteTx, { source, nativeId }: { readonly source: string; readonly nativeId: string }): Promise<void> {
  const active = await tx.db
    .selectFrom('agent_sessions')
    .select(['id', 'head_turn_id'])
    .where('source', '=', source)
    .where('native_id', '=', nativeId)
    .where('status', '=', 'active')
    .execute()
  for (const { id, head_turn_id: head } of active)
    if (head !== null && (await hasAnswered(tx.db, id, head)))
      await tx.db.updateTable('agent_turns').set({ status: 'final' }).where('id', '=', head).where('status', '=', 'open').execute()
}

async function hasAnswered(db: WriteTx['db'], session: string, head: string): Promise<boolean> {
  const last = await db
    .selectFrom('agent_messages')
    .select(['id', 'role', 'content', 'turn_id'])
    .where('session_id', '=', session)
    .where('role', '<>', 'system')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last?.role !== 'assistant' || last.turn_id !== head || (last.content ?? '').trim() === '') return false
  return (await db.selectFrom('agent_tool_calls').select('id').where('message_id', '=', last.id).limit(1).executeTakeFirst()) === undefined
}

async function end(tx: WriteTx, { id, head_turn_id }: { readonly id: string; readonly head_turn_id: string | null }): Promise<void> {
  await tx.db
    .updateTable('agent_sessions')
    .set((eb) => ({ status: 'ended', ended_at: eb.ref('last_message_at') }))
    .where('id', '=', id)
    .execute()
  if (head_turn_id !== null) await tx.db.updateTable('agent_turns').set({ status: 'final' }).where('id', '=', head_turn_id).execute()
}
