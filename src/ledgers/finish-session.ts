/** What is settled about a session once a unit is read to its end: head, statuses, links to the sessions around it. */
import type { Clock } from '../core/clock.ts'
import { sessionId } from '../core/ids.ts'
import type { WriteTx } from '../store/store.ts'

export interface Quiet {
  readonly clock: Clock
  readonly quietMs: number
}

/** Moves the head to the turn of the newest message, settles what is open, final and superseded, and appends to the history. */
export async function finishSession(tx: WriteTx, id: string, { clock, quietMs }: Quiet): Promise<void> {
  const last = await tx.agents.lastMessage(id)
  const head = last && (await tx.agents.turnOfOpener(last.opener_id))
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
async function announce(tx: WriteTx, sessionId: string, head: string, clock: Clock): Promise<void> {
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

/** Joins calls and the sessions they started, whichever of the two was read first; then gives out titles that waited. */
export async function linkSubagents(
  tx: WriteTx,
  { source, sessions, clock }: { source: string; sessions: ReadonlySet<string>; clock: Clock },
): Promise<void> {
  for (const id of sessions) {
    const session = await tx.db.selectFrom('agent_sessions').selectAll().where('id', '=', id).executeTakeFirst()
    if (session === undefined) continue
    if (session.is_subagent) await linkParent(tx, source, session)
    await linkChildren(tx, source, id)
  }
  await giveTitles(tx, source, clock)
}

async function linkParent(
  tx: WriteTx,
  source: string,
  child: { id: string; native_id: string; parent_native_id: string | null; tool_call_id: string | null },
): Promise<void> {
  const parentId = child.parent_native_id === null ? undefined : await existing(tx, sessionId(source, child.parent_native_id))
  const call = await tx.db
    .selectFrom('agent_tool_calls')
    .selectAll()
    .where((is) =>
      is.or([
        is('child_native_id', '=', child.native_id),
        ...(child.tool_call_id === null || parentId === undefined ? [] : [is('id', '=', `${parentId}/${child.tool_call_id}`)]),
        ...(child.tool_call_id === null ? [] : [is('id', '=', child.tool_call_id)]),
      ]),
    )
    .where('session_id', 'like', `${source}:%`)
    .executeTakeFirst()
  await tx.db
    .updateTable('agent_sessions')
    .set({
      parent_session_id: parentId ?? call?.session_id ?? null,
      ...(call === undefined ? {} : { tool_call_id: call.id, parent_message_id: call.message_id, task_status: call.status }),
    })
    .where('id', '=', child.id)
    .execute()
  if (call !== undefined)
    await tx.db.updateTable('agent_tool_calls').set({ child_session_id: child.id }).where('id', '=', call.id).execute()
}

/** A parent that came after its children. */
async function linkChildren(tx: WriteTx, source: string, id: string): Promise<void> {
  const nativeId = id.slice(source.length + 1)
  const waiting = await tx.db
    .selectFrom('agent_sessions')
    .selectAll()
    .where('source', '=', source)
    .where('is_subagent', '=', 1)
    .where((is) =>
      is.or([
        is.and([is('parent_native_id', '=', nativeId), is('parent_session_id', 'is', null)]),
        is('native_id', 'in', (select) =>
          select
            .selectFrom('agent_tool_calls')
            .select((column) => column.ref('child_native_id').$notNull().as('child'))
            .where('session_id', '=', id)
            .where('child_native_id', 'is not', null)
            .where('child_session_id', 'is', null),
        ),
      ]),
    )
    .execute()
  for (const child of waiting) await linkParent(tx, source, child)
}

/** Titles that waited for their message. Few wait at any time: they are looked up one by one. */
async function giveTitles(tx: WriteTx, source: string, clock: Clock): Promise<void> {
  const waiting = await tx.db.selectFrom('agent_pending_titles').selectAll().where('source', '=', source).execute()
  for (const { leaf_native_id, title, title_rank } of waiting) {
    const [message] = await tx.agents.records(source, leaf_native_id)
    if (message === undefined) continue
    const changed = await tx.db
      .updateTable('agent_sessions')
      .set({ title, title_rank })
      .where('id', '=', message.session_id)
      .where('title_rank', '<=', title_rank)
      .returning('head_turn_id')
      .executeTakeFirst()
    if (changed?.head_turn_id) await announce(tx, message.session_id, changed.head_turn_id, clock)
    await tx.db
      .deleteFrom('agent_pending_titles')
      .where('source', '=', source)
      .where('leaf_native_id', '=', leaf_native_id)
      .where('title', '=', title)
      .execute()
  }
}

async function existing(tx: WriteTx, id: string): Promise<string | undefined> {
  return (await tx.db.selectFrom('agent_sessions').select('id').where('id', '=', id).executeTakeFirst())?.id
}
