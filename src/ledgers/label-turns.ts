/** Writes what analyses say of turns into their rows. A turn that is open has none: it may still change. */
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'

export interface TurnLabel {
  readonly turn: string
  /** Empty where there is nothing to say of it: it was looked at all the same. */
  readonly label: string
  readonly summary: string | null
  readonly topics: readonly string[]
}

export async function labelTurns(tx: WriteTx, labels: readonly TurnLabel[]): Promise<void> {
  for (const { turn, label, summary, topics } of labels)
    await putLabel(tx.db, { turn, label, summary, topics: topics.length === 0 ? null : JSON.stringify(topics) })
}

const putLabel = compiledOnce(
  (db, { turn, label, summary, topics }: { turn: string; label: string; summary: string | null; topics: string | null }) =>
    db.updateTable('agent_turns').set({ label, summary, topics }).where('id', '=', turn).where('status', '<>', 'open'),
)

/** The entities that a turn names, as the graph has them: ids, in no order. */
export async function setTurnEntities(tx: WriteTx, turn: string, entities: readonly string[]): Promise<void> {
  const ids = entities.length === 0 ? null : JSON.stringify([...entities].sort())
  await tx.db.updateTable('agent_turns').set({ entity_ids: ids }).where('id', '=', turn).execute()
}
