/** Open turns have no analysis results, because they may change. */
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'

export interface TurnLabel {
  readonly turn: string
  /** Empty: analysed without a result. */
  readonly label: string
  readonly summary: string | null
}

export interface TurnTopics {
  readonly turn: string
  readonly topics: readonly string[]
}

export async function labelTurns(tx: WriteTx, labels: readonly (TurnLabel & TurnTopics)[]): Promise<void> {
  for (const { turn, label, summary, topics } of labels) await putBoth(tx.db, { turn, label, summary, topics: listOf(topics) })
}

export async function setTurnLabel(tx: WriteTx, { turn, label, summary }: TurnLabel): Promise<void> {
  await putLabel(tx.db, { turn, label, summary })
}

export async function setTurnTopics(tx: WriteTx, { turn, topics }: TurnTopics): Promise<void> {
  await putTopics(tx.db, { turn, topics: listOf(topics) })
}

export async function setTurnEntities(tx: WriteTx, turn: string, entities: readonly string[]): Promise<void> {
  await putEntities(tx.db, { turn, entities: listOf([...entities].sort()) })
}

/** Requeues turns labelled by rules; keeps a model's labels. */
export async function unlabelTurns(tx: WriteTx): Promise<void> {
  await tx.db
    .updateTable('agent_turns')
    .set({ label: null })
    .where('label', 'is not', null)
    .where('opener_id', 'not in', (eb) =>
      eb
        .selectFrom('analysis_runs as r')
        .innerJoin('episodes as e', 'e.id', 'r.episode_id')
        .select('e.first_event_id')
        .where('r.analysis_type_id', '=', 'turn_labels')
        .where('r.status', '=', 'completed')
        .where('r.implementation', '<>', 'rules')
        .where('e.first_event_id', 'is not', null)
        .$castTo<{ first_event_id: string }>(),
    )
    .execute()
}

function listOf(values: readonly string[]): string | null {
  return values.length === 0 ? null : JSON.stringify(values)
}

const putBoth = compiledOnce(
  (db, { turn, label, summary, topics }: { turn: string; label: string; summary: string | null; topics: string | null }) =>
    db.updateTable('agent_turns').set({ label, summary, topics }).where('id', '=', turn).where('status', '<>', 'open'),
)

const putLabel = compiledOnce((db, { turn, label, summary }: { turn: string; label: string; summary: string | null }) =>
  db.updateTable('agent_turns').set({ label, summary }).where('id', '=', turn).where('status', '<>', 'open'),
)

const putTopics = compiledOnce((db, { turn, topics }: { turn: string; topics: string | null }) =>
  db.updateTable('agent_turns').set({ topics }).where('id', '=', turn).where('status', '<>', 'open'),
)

const putEntities = compiledOnce((db, { turn, entities }: { turn: string; entities: string | null }) =>
  db.updateTable('agent_turns').set({ entity_ids: entities }).where('id', '=', turn),
)
