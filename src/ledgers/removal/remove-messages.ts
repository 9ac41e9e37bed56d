/** Closes the gaps: children move to the parent, turns are rebuilt, derived data is deleted. One transaction. */
import type { MessageRow, TurnRow } from '../../store/agent-rows.ts'
import type { WriteTx } from '../../store/store.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'
import { finishSession, type Quiet } from '../finish-session.ts'
import { nameSession } from '../names/name-session.ts'
import { rebuiltTurn } from '../rebuild-turn.ts'

export async function removeMessages(tx: WriteTx, ids: readonly string[], quiet: Quiet): Promise<void> {
  const rows: MessageRow[] = []
  for (const id of ids) {
    const row = await tx.db.selectFrom('agent_messages').selectAll().where('id', '=', id).executeTakeFirst()
    if (row !== undefined) rows.push(row)
  }
  if (rows.length === 0) return
  const openers = new Set(rows.map((row) => row.opener_id))
  const turns = await tx.agents.turnsOfOpeners([...openers])
  await moveChildren(tx, rows)
  await removeRows(tx, rows)
  await removeRecords(tx, new Set(rows.map(({ id }) => id)))
  for (const [opener, turn] of turns) await closeTurn(tx, opener, turn)
  for (const session of new Set(rows.map((row) => row.session_id))) await settleSession(tx, session, quiet)
}

const AT_ONCE = 500

async function moveChildren(tx: WriteTx, rows: readonly MessageRow[]): Promise<void> {
  const parents = new Map(rows.map(({ id, parent_id }) => [id, parent_id]))
  const ids = [...parents.keys()]
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const children = await tx.db
      .selectFrom('agent_messages')
      .select(['id', 'parent_id'])
      .where('parent_id', 'in', ids.slice(at, at + AT_ONCE))
      .execute()
    for (const child of children) {
      if (parents.has(child.id)) continue
      let parent = child.parent_id
      while (parent !== null && parents.has(parent)) parent = parents.get(parent) ?? null
      await tx.db.updateTable('agent_messages').set({ parent_id: parent }).where('id', '=', child.id).execute()
    }
  }
}

async function removeRows(tx: WriteTx, rows: readonly MessageRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const some = rows.slice(at, at + AT_ONCE)
    const ids = some.map(({ id }) => id)
    await tx.db.updateTable('agent_tool_calls').set({ result_message_id: null }).where('result_message_id', 'in', ids).execute()
    await tx.db.updateTable('agent_sessions').set({ parent_message_id: null }).where('parent_message_id', 'in', ids).execute()
    const heads = await tx.db.selectFrom('agent_sessions').select(['id', 'head_message_id']).where('head_message_id', 'in', ids).execute()
    for (const { id, head_message_id } of heads) {
      const before = some.find((row) => row.id === head_message_id)?.parent_id ?? null
      await tx.db.updateTable('agent_sessions').set({ head_message_id: before }).where('id', '=', id).execute()
    }
    await tx.db.deleteFrom('agent_compactions').where('id', 'in', ids).execute()
    await tx.db.deleteFrom('agent_messages').where('id', 'in', ids).execute()
  }
}

/** Full scan: an index by message would slow down every sync. */
export async function removeRecords(tx: WriteTx, messages: ReadonlySet<string>): Promise<void> {
  const all = tx.db.selectFrom('agent_records').select(['source', 'native_id', 'hash', 'message_id'])
  for (const { source, native_id, hash, message_id } of await all.execute()) {
    if (!messages.has(message_id)) continue
    await tx.db
      .deleteFrom('agent_records')
      .where('source', '=', source)
      .where('native_id', '=', native_id)
      .where('hash', '=', hash)
      .execute()
  }
}

/** Deletes an empty turn and moves its children to its parent; rebuilds any other turn. */
async function closeTurn(tx: WriteTx, opener: string, turn: TurnRow): Promise<void> {
  const messages = await tx.db
    .selectFrom('agent_messages')
    .selectAll()
    .where('session_id', '=', turn.session_id)
    .where('opener_id', '=', opener)
    .orderBy('sequence')
    .execute()
  // Reread: its parent may just have been removed.
  const parent = await tx.db.selectFrom('agent_turns').select('parent_turn_id as id').where('id', '=', turn.id).executeTakeFirst()
  const made = messages.length === 0 ? undefined : await rebuiltTurn(tx, turn, messages, parent?.id ?? null)
  const successor = made?.id ?? parent?.id ?? null
  await tx.db.updateTable('agent_turns').set({ parent_turn_id: successor }).where('parent_turn_id', '=', turn.id).execute()
  await tx.db.updateTable('agent_sessions').set({ head_turn_id: successor }).where('head_turn_id', '=', turn.id).execute()
  await tx.agents.deleteTurn(turn.id)
  if (made === undefined) return
  await tx.agents.addTurns([{ ...made, has_children: turn.has_children, status: turn.status }])
  await tx.db
    .updateTable('agent_messages')
    .set({ opener_id: made.opener_id, turn_id: made.id })
    .where('session_id', '=', turn.session_id)
    .where('opener_id', '=', opener)
    .execute()
}

/** Recounts, and renames: a title from a removed prompt disappears with it. */
export async function settleSession(tx: WriteTx, id: string, quiet: Quiet): Promise<void> {
  const { fn } = tx.db
  const counted = await tx.db
    .selectFrom('agent_messages')
    .select([fn.countAll<number>().as('messages'), fn.min('timestamp').as('first'), fn.max('timestamp').as('last')])
    .where('session_id', '=', id)
    .executeTakeFirstOrThrow()
  await tx.db
    .updateTable('agent_sessions')
    .set({
      message_count: counted.messages,
      started_at: counted.first,
      created_at: counted.first,
      last_message_at: counted.last,
    })
    .where('id', '=', id)
    .execute()
  await finishSession(tx, id, quiet)
  await nameSession(tx, id, await tombstonesOf(tx))
}
