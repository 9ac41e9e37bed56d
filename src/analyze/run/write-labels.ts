/** What is said of a turn or an episode as a whole goes into its row: label, summary, topics, the entities that it names. */
import { labelTurns, setTurnEntities } from '../../ledgers/label-turns.ts'
import type { WriteTx } from '../../store/store.ts'
import type { EpisodeText, Findings } from '../analyzer.ts'
import type { LabelOutput } from './turn-labels.ts'

export async function writeLabels(
  tx: WriteTx,
  { type, episode, findings }: { type: string; episode: EpisodeText; findings: Findings },
): Promise<void> {
  const turn = episode.messages[0]?.turn ?? episode.calls[0]?.turn ?? null
  if (type === 'turn_labels' && turn !== null) await labelTurns(tx, [{ turn, ...(findings.output as LabelOutput) }])
  if (findings.summary !== undefined) await setSummary(tx, episode.id, findings.summary)
  if (findings.graph !== undefined && turn !== null) await setTurnEntities(tx, turn, await entitiesIn(tx, episode.id))
}

async function setSummary(tx: WriteTx, episode: string, summary: string | null): Promise<void> {
  await tx.db.updateTable('episodes').set({ summary }).where('id', '=', episode).execute()
}

/** As they are named here; whoever reads them follows `canonical_id`. */
async function entitiesIn(tx: WriteTx, episode: string): Promise<string[]> {
  const rows = await tx.db.selectFrom('episode_entity_mentions').select('entity_id').distinct().where('episode_id', '=', episode).execute()
  return rows.map(({ entity_id }) => entity_id)
}
