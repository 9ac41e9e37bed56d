import type { Insertable } from 'kysely'
import type { EpisodeEntityMentionsTable } from '../store/tables.ts'
import type { Extracted } from './extracted.ts'
import type { ExtractedFrom, KnownEntity } from './extracted-from.ts'

export type MentionRow = Insertable<EpisodeEntityMentionsTable> & { readonly mention_count: number }

export function mentionRows(
  { entities }: Extracted,
  { from, known }: { readonly from: ExtractedFrom; readonly known: ReadonlyMap<string, KnownEntity> },
): MentionRow[] {
  const places = new Map<string, { readonly entity: string; readonly message: string; readonly spans: Map<string, [number, number]> }>()
  for (const { ref, mentions } of entities) {
    const id = known.get(ref)?.id
    if (id === undefined) continue
    for (const { message, start, end } of mentions) {
      const key = `${id}\n${message}`
      const place = places.get(key) ?? { entity: id, message, spans: new Map() }
      place.spans.set(`${start}-${end}`, [start, end])
      places.set(key, place)
    }
  }
  return [...places.values()].flatMap(({ entity, message, spans }) => {
    const [first] = [...spans.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1])
    if (first === undefined) return []
    return {
      ...{ episode_id: from.episode.id, entity_id: entity, message_id: message, run_id: from.runId, agent_id: from.agentId },
      ...{ span_start: first[0], span_end: first[1], mention_count: spans.size },
    }
  })
}
