import { setTurnEntities, setTurnLabel, setTurnTopics } from '../../ledgers/label-turns.ts'
import { compiledOnce } from '../../store/compiled-once.ts'
import type { WriteTx } from '../../store/store.ts'
import type { EpisodeText, Findings } from '../analyzer.ts'
import { type LabelOutput, topicsOf } from './turn-labels.ts'

export async function writeLabels(
  tx: WriteTx,
  { type, episode, findings }: { type: string; episode: EpisodeText; findings: Findings },
): Promise<void> {
  const turn = turnOf(episode)
  if (turn !== null && type === 'turn_labels') await setTurnLabel(tx, { turn, ...(findings.output as LabelOutput) })
  if (turn !== null && type === 'topics') await setTurnTopics(tx, { turn, topics: topicsOf(findings) })
  if (turn !== null && findings.graph !== undefined) await setTurnEntities(tx, turn, await entitiesIn(tx, episode.id))
  if (findings.summary !== undefined) await setSummary(tx.db, { episode: episode.id, summary: findings.summary })
}

/** Null unless the episode is a single turn. */
function turnOf({ definition, messages, calls }: EpisodeText): string | null {
  const turn = messages[0]?.turn ?? calls[0]?.turn ?? null
  return definition === 'agent_turn' || definition === 'aix_turn' ? turn : null
}

const setSummary = compiledOnce((db, { episode, summary }: { episode: string; summary: string | null }) =>
  db.updateTable('episodes').set({ summary }).where('id', '=', episode),
)

/** Not resolved: readers follow `canonical_id`. */
async function entitiesIn(tx: WriteTx, episode: string): Promise<string[]> {
  return (await mentionedIn(tx.db, { episode })).map(({ entity_id }) => entity_id)
}

const mentionedIn = compiledOnce((db, { episode }: { episode: string }) =>
  db.selectFrom('episode_entity_mentions').select('entity_id').distinct().where('episode_id', '=', episode),
)
