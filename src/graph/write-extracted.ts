/**
 * Writes what one run found in one episode. Observations are appended as they were said; none changes or goes because another disagrees. The same
 * run again replaces exactly what it wrote, and a run that finds the same changes nothing.
 */
import type { WriteTx } from '../store/store.ts'
import { type Tombstones, tombstonesOf } from '../tombstones/tombstones.ts'
import { aliasRows } from './alias-rows.ts'
import { checkExtracted } from './check-extracted.ts'
import { entityId, keyOf } from './entity-key.ts'
import { entityTypes } from './entity-types.ts'
import type { Extracted, ExtractedEntity } from './extracted.ts'
import type { ExtractedFrom, KnownEntity } from './extracted-from.ts'
import { isForgottenEntity } from './forgotten-entity.ts'
import type { GraphMessage } from './graph-episode.ts'
import { mentionRows } from './mention-rows.ts'
import { observationRows } from './observation-rows.ts'
import { putEntities, replaceAliases, replaceMentions, replaceObservations } from './replace-rows.ts'
import { settle } from './settle.ts'

export interface WrittenGraph {
  /** The id of each entity by its `ref`; one that was forgotten has none. Reads resolve it through `canonical_id`. */
  readonly entities: ReadonlyMap<string, string>
  readonly observations: number
  readonly aliases: number
  readonly mentions: number
}

/** Throws VALIDATION_ERROR, and nothing is written, where a type, a `ref` or a span is none. */
export async function writeExtracted(tx: WriteTx, from: ExtractedFrom, extracted: Extracted): Promise<WrittenGraph> {
  const messages = new Map(from.episode.messages.map((message) => [message.message, message]))
  checkExtracted(extracted, { types: entityTypes(from.addedTypes), messages })
  const known = knownEntities(extracted.entities, { from, messages, tombstones: await tombstonesOf(tx) })
  const aliases = aliasRows(extracted, { from, messages, known })
  const mentions = mentionRows(extracted, { from, known })
  const observations = observationRows(extracted, { from, messages, known })
  await putEntities(tx, [...known.values()], from)
  await replaceAliases(tx, from.runId, aliases)
  await replaceMentions(tx, from.runId, mentions)
  await replaceObservations(tx, from, observations)
  if (from.settlesLater !== true) await settle(tx, { autoMerge: from.autoMerge })
  return {
    entities: new Map([...known].map(([ref, { id }]) => [ref, id])),
    ...{ observations: observations.length, aliases: aliases.length, mentions: mentions.length },
  }
}

function knownEntities(
  entities: readonly ExtractedEntity[],
  { from, messages, tombstones }: { from: ExtractedFrom; messages: ReadonlyMap<string, GraphMessage>; tombstones: Tombstones | undefined },
): Map<string, KnownEntity> {
  const known = new Map<string, KnownEntity>()
  const isForgotten = (value: string) => tombstones?.holds('value', value) ?? false
  for (const entity of entities) {
    const key = keyOf(entity, { ...from, messages })
    if (key === undefined) continue
    const id = entityId(from.agentId, entity.type, key)
    if ((tombstones !== undefined && isForgottenEntity({ id, name: entity.name }, tombstones)) || isForgotten(key.value)) continue
    known.set(entity.ref, { id, type: entity.type, name: entity.name, key, isForgotten })
  }
  return known
}
