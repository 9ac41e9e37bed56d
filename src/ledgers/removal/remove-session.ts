/** Removes a whole session from the ledger. Sessions that it started, or that continue it, stay and lose the link. */
import type { WriteTx } from '../../store/store.ts'
import { removeRecords } from './remove-messages.ts'

export async function removeSession(tx: WriteTx, id: string): Promise<void> {
  const session = await tx.db.selectFrom('agent_sessions').select(['source', 'native_id']).where('id', '=', id).executeTakeFirst()
  if (session === undefined) return
  const messages = await tx.db.selectFrom('agent_messages').select('id').where('session_id', '=', id).execute()
  const own = tx.db.selectFrom('agent_turns').select('id').where('session_id', '=', id)
  await tx.db
    .updateTable('agent_turns')
    .set({ parent_turn_id: null })
    .where('session_id', '<>', id)
    .where('parent_turn_id', 'in', own)
    .execute()
  await removeRecords(tx, new Set(messages.map((message) => message.id)))
  await tx.db
    .updateTable('agent_sessions')
    .set({ parent_native_id: null, parent_message_id: null, tool_call_id: null })
    .where('source', '=', session.source)
    .where('parent_native_id', '=', session.native_id)
    .execute()
  await tx.db.updateTable('agent_tool_calls').set({ child_native_id: null }).where('child_session_id', '=', id).execute()
  const thread = `aix_session:${id}`
  await tx.db.deleteFrom('events').where('thread_id', '=', thread).execute()
  await tx.db.deleteFrom('threads').where('id', '=', thread).execute()
  await tx.db
    .updateTable('agent_messages')
    .set({ parent_id: null })
    .where('session_id', '<>', id)
    .where('parent_id', '>=', `${id}/`)
    .where('parent_id', '<', `${id}0`) // the character after the slash
    .execute()
  await tx.db.deleteFrom('agent_turns').where('session_id', '=', id).execute()
  await tx.db.deleteFrom('agent_sessions').where('id', '=', id).execute()
}
