/**
 * Writes the extraction of one run. Observations are append-only: disagreement never deletes one. Rerunning replaces exactly the run's own
 * rows; idempotent.
 */
import type { WriteTx } from '../store/store.ts'
import { type Tombstones, tombstonesOf } from '../tombstones/tombstones.ts'
import { aliasRows } from './alias-rows.ts'
import { checkExtracted } from './check-extracted.ts'
import { entityId, keyOf, readKey } from './entity-key.ts'
import { entityTypes } from './entity-types.ts'
import type { Extracted, ExtractedEntity } from './extracted.ts'
import type { ExtractedFrom, KnownEntity } from './extracted-from.ts'
import { isForgottenEntity } from './forgotten-entity.ts'
import type { GraphMessage } from './graph-episode.ts'
import { mentionRows } from './mention-rows.ts'
import { observationRows } from './observation-rows.ts'
import { putEntities, replaceAliases, replaceMentions, replaceObservations } from './replace-rows.ts'
import { settle } from './settle.ts'
import { applySplits } from './split-rows.ts'

export interface WrittenGraph {
  /** Entity ids by `ref`, without forgotten ones. Readers resolve them through `canonical_id`. */
  readonly entities: ReadonlyMap<string, string>
  readonly observations: number
  readonly aliases: number
  readonly mentions: number
}

/** Throws VALIDATION_ERROR before writing if a type, `ref` or span is invalid. */
export async function writeExtracted(tx: WriteTx, from: ExtractedFrom, extracted: Extracted): Promise<WrittenGraph> {
  const messages = new Map(from.episode.messages.map((message) => [message.message, message]))
  checkExtracted(extracted, { types: entityTypes(from.addedTypes), messages })
  const stored = await storedEntities(tx, extracted.entities)
  const known = knownEntities(extracted.entities, { from, messages, stored, tombstones: await tombstonesOf(tx) })
  const aliases = aliasRows(extracted, { from, messages, known })
  const mentions = mentionRows(extracted, { from, known })
  const observations = observationRows(extracted, { from, messages, known })
  await putEntities(tx, [...known.values()], from)
  await replaceAliases(tx, from.runId, aliases)
  await replaceMentions(tx, from.runId, mentions)
  await replaceObservations(tx, from, observations)
  await applySplits(
    tx,
    [...known.values()].map(({ id }) => id),
  )
  if (from.settlesLater !== true) await settle(tx, { autoMerge: from.autoMerge })
  return {
    entities: new Map([...known].map(([ref, { id }]) => [ref, id])),
    ...{ observations: observations.length, aliases: aliases.length, mentions: mentions.length },
  }
}

function knownEntities(
  entities: readonly ExtractedEntity[],
  {
    from,
    messages,
    stored,
    tombstones,
  }: {
    from: ExtractedFrom
    messages: ReadonlyMap<string, GraphMessage>
    stored: ReadonlyMap<string, Pick<KnownEntity, 'type' | 'name' | 'key'>>
    tombstones: Tombstones | undefined
  },
): Map<string, KnownEntity> {
  const known = new Map<string, KnownEntity>()
  const isForgotten = (value: string) => tombstones?.holds('value', value) ?? false
  for (const entity of entities) {
    const { elsewhere } = entity
    if (elsewhere !== undefined && 'id' in elsewhere) {
      const is = stored.get(elsewhere.id)
      if (is !== undefined) known.set(entity.ref, { id: elsewhere.id, ...is, isForgotten })
      continue
    }
    const bound = from.bound?.get(entity.ref)
    const key = bound === undefined ? keyAt(entity, { from, messages }) : readKey(bound.key)
    if (key === undefined) continue
    const id = bound?.id ?? entityId(from.agentId, entity.type, key)
    if ((tombstones !== undefined && isForgottenEntity({ id, name: entity.name }, tombstones)) || isForgotten(key.value)) continue
    known.set(entity.ref, { id, type: entity.type, name: entity.name, key, isForgotten })
  }
  return known
}

function keyAt(
  { elsewhere, ...entity }: ExtractedEntity,
  { from, messages }: { from: ExtractedFrom; messages: ReadonlyMap<string, GraphMessage> },
) {
  if (elsewhere === undefined || 'id' in elsewhere) return keyOf(entity, { ...from, messages })
  return keyOf(elsewhere.entity, {
    ...from,
    episode: { ...from.episode, messages: elsewhere.messages },
    messages: new Map(elsewhere.messages.map((message) => [message.message, message])),
  })
}

async function storedEntities(tx: WriteTx, entities: readonly ExtractedEntity[]) {
  const ids = entities.flatMap(({ elsewhere }) => (elsewhere !== undefined && 'id' in elsewhere ? [elsewhere.id] : []))
  if (ids.length === 0) return new Map<string, Pick<KnownEntity, 'type' | 'name' | 'key'>>()
  const rows = await tx.db.selectFrom('entities').select(['id', 'type', 'name', 'key']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, key, ...row }) => [id, { ...row, key: readKey(key) }]))
}
