/** Hangs messages below those of other sessions that they follow, once both are there: two sessions may each go on from the other. */
import type { WriteTx } from '../store/store.ts'

/** `waiting`: message → the one it follows. What is still not there is left as it is. */
export async function linkParents(tx: WriteTx, waiting: Map<string, string>): Promise<void> {
  const parents = await tx.agents.messages([...new Set(waiting.values())])
  for (const [id, parentId] of waiting) {
    const parent = parents.get(parentId)
    if (parent === undefined) continue
    await tx.db.updateTable('agent_messages').set({ parent_id: parentId }).where('id', '=', id).execute()
    const above = (await tx.agents.turnsOfOpeners([parent.opener_id])).get(parent.opener_id)
    if (above === undefined) continue
    await tx.db.updateTable('agent_turns').set({ parent_turn_id: above.id }).where('opener_id', '=', id).execute()
    await tx.agents.markParents([above.id])
  }
  waiting.clear()
}
