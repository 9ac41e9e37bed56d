/** After a repair lost rows: rebuilds lost turns from their messages, which name their opener, and recounts sessions and turns that lost messages. */
import type { NewTurn } from '../store/agent-rows.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { isNotes } from './batch-message.ts'
import { finishSession, type Quiet } from './finish-session.ts'
import { turnOfMessages } from './rebuild-turn.ts'

interface RestoreOptions extends Quiet {
  readonly guard: (tx: WriteTx) => Promise<void>
}

export async function restoreLostTurns(store: Store, { guard, ...quiet }: RestoreOptions): Promise<void> {
  const sessions = await store.read
    .selectFrom('agent_messages')
    .select('session_id')
    .distinct()
    .where('opener_id', 'not in', store.read.selectFrom('agent_turns').select('opener_id'))
    .orderBy('session_id')
    .execute()
  for (const { session_id } of sessions) {
    await store.write(async (tx) => {
      await guard(tx)
      for (const opener of await lostOpeners(tx, session_id)) await restoreTurn(tx, session_id, opener)
      await adoptChildren(tx, session_id)
      await finishSession(tx, session_id, quiet)
    })
  }
}

/** Sessions and turns of which messages or tool calls were lost. */
export async function recountLost(store: Store, guard: (tx: WriteTx) => Promise<void>): Promise<void> {
  const sessions = await countedSessions(store)
  const turns = await countedTurns(store)
  await store.write(async (tx) => {
    await guard(tx)
    for (const { id, messages } of sessions)
      await tx.db.updateTable('agent_sessions').set({ message_count: messages }).where('id', '=', id).execute()
    for (const { id, session_id } of turns) {
      const messages = await tx.db.selectFrom('agent_messages').select('id').where('turn_id', '=', id).orderBy('sequence').execute()
      const ids = messages.map((message) => message.id)
      const { token_count, message_count, tool_call_count } = await turnOfMessages(tx, session_id, ids, undefined)
      await tx.db.updateTable('agent_turns').set({ token_count, message_count, tool_call_count }).where('id', '=', id).execute()
    }
  })
}

/** Those that say another number than they have. */
async function countedSessions({ read }: Store) {
  const rows = await read
    .selectFrom('agent_sessions as s')
    .leftJoin('agent_messages as m', 'm.session_id', 's.id')
    .select((eb) => ['s.id', 's.message_count', eb.fn.count<number>('m.id').as('messages')])
    .groupBy('s.id')
    .execute()
  return rows.filter(({ message_count, messages }) => message_count !== messages)
}

async function countedTurns({ read }: Store) {
  const rows = await read
    .selectFrom('agent_turns as t')
    .leftJoin('agent_messages as m', 'm.turn_id', 't.id')
    .leftJoin('agent_tool_calls as c', 'c.message_id', 'm.id')
    .select(['t.id', 't.session_id', 't.message_count', 't.tool_call_count'])
    .select((eb) => [eb.fn.count<number>('m.id').distinct().as('messages'), eb.fn.count<number>('c.id').as('calls')])
    .groupBy('t.id')
    .execute()
  return rows.filter((turn) => turn.message_count !== turn.messages || turn.tool_call_count !== turn.calls)
}

async function lostOpeners(tx: WriteTx, session: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('agent_messages')
    .select('id')
    .where('session_id', '=', session)
    .whereRef('opener_id', '=', 'id')
    .where('id', 'not in', tx.db.selectFrom('agent_turns').select('opener_id').where('session_id', '=', session))
    .orderBy('sequence')
    .execute()
  return rows.map(({ id }) => id)
}

async function restoreTurn(tx: WriteTx, session: string, opener: string): Promise<void> {
  const messages = await tx.db
    .selectFrom('agent_messages')
    .select(['id', 'sequence', 'timestamp'])
    .where('opener_id', '=', opener)
    .orderBy('sequence')
    .execute()
  const ids = messages.map(({ id }) => id)
  const parent = await parentTurn(tx, session, opener)
  const turn: NewTurn = {
    ...(await turnOfMessages(tx, session, ids, undefined)),
    ...{ parent_turn_id: parent, sequence: messages[0]?.sequence ?? 0 },
  }
  await tx.agents.addTurns([turn])
  await tx.db.updateTable('agent_messages').set({ turn_id: turn.id }).where('opener_id', '=', opener).execute()
  if (parent !== null) await tx.agents.markParents([parent])
}

/** The repair cleared the parent of turns behind a lost one. */
async function adoptChildren(tx: WriteTx, session: string): Promise<void> {
  const orphans = await tx.db
    .selectFrom('agent_turns')
    .select(['id', 'opener_id'])
    .where('session_id', '=', session)
    .where('parent_turn_id', 'is', null)
    .execute()
  for (const { id, opener_id } of orphans) {
    const parent = await parentTurn(tx, session, opener_id)
    if (parent === null || parent === id) continue
    await tx.db.updateTable('agent_turns').set({ parent_turn_id: parent }).where('id', '=', id).execute()
    await tx.agents.markParents([parent])
  }
}

async function parentTurn(tx: WriteTx, session: string, opener: string): Promise<string | null> {
  const messages = await tx.agents.messages([opener])
  const followed = messages.get(opener)?.parent_id
  if (!followed) return null
  const parent = (await tx.agents.messages([followed])).get(followed)
  if (parent === undefined) return null
  const turn = (await tx.agents.turnsOfOpeners([parent.opener_id])).get(parent.opener_id)
  if (turn === undefined) return null
  return isNotes(parent) && parent.session_id === session ? turn.parent_turn_id : turn.id
}
