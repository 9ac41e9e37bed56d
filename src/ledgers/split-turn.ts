/**
 * Splits a turn after one of its prompts. Prompts in a row are one question until somebody goes back and continues from the first of them with
 * another prompt: then the first is a turn of its own, and what followed it before is a branch beside the new one.
 */
import type { NewTurn, TurnRow } from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import { rebuiltTurn } from './rebuild-turn.ts'

export async function splitTurn(tx: WriteTx, promptId: string): Promise<void> {
  const prompt = await tx.db.selectFrom('agent_messages').selectAll().where('id', '=', promptId).executeTakeFirst()
  const turn = prompt && (await tx.agents.turnsOfOpeners([prompt.opener_id])).get(prompt.opener_id)
  if (prompt === undefined || turn === undefined) return
  const messages = await tx.db
    .selectFrom('agent_messages')
    .selectAll()
    .where('session_id', '=', prompt.session_id)
    .where('opener_id', '=', prompt.opener_id)
    .orderBy('sequence')
    .execute()
  const before = messages.filter((message) => message.sequence <= prompt.sequence)
  const after = messages.filter((message) => message.sequence > prompt.sequence)
  const opener = after[0]
  if (opener?.kind !== 'prompt') return
  const ids = after.map((message) => message.id)
  await tx.db.updateTable('agent_messages').set({ opener_id: opener.id }).where('id', 'in', ids).execute()
  const first = await rebuiltTurn(tx, turn, before, turn.parent_turn_id)
  const second = await rebuiltTurn(tx, turn, after, first.id)
  await tx.agents.deleteTurn(turn.id)
  await tx.agents.addTurns([first, second])
  await tx.db.updateTable('agent_messages').set({ turn_id: first.id }).where('opener_id', '=', first.opener_id).execute()
  await tx.db.updateTable('agent_messages').set({ turn_id: second.id }).where('opener_id', '=', second.opener_id).execute()
  await moveChildren(tx, turn, { first, second, moved: new Set(ids) })
}

/** Each child turn gets the part that holds the message it follows as parent. */
async function moveChildren(
  tx: WriteTx,
  was: TurnRow,
  { first, second, moved }: { first: NewTurn; second: NewTurn; moved: ReadonlySet<string> },
): Promise<void> {
  const children = await tx.db
    .selectFrom('agent_turns as t')
    .innerJoin('agent_messages as m', 'm.id', 't.opener_id')
    .select(['t.id', 'm.parent_id'])
    .where('t.parent_turn_id', '=', was.id)
    .execute()
  for (const { id, parent_id } of children) {
    if (id === second.id) continue
    const parent = parent_id !== null && moved.has(parent_id) ? second.id : first.id
    await tx.db.updateTable('agent_turns').set({ parent_turn_id: parent }).where('id', '=', id).execute()
    await tx.agents.markParents([parent])
  }
  await tx.agents.markParents([first.id])
}
