/**
 * Moves split-off observations, mentions and a name to the part. Must run after every write of the entity, so that a rebuilt graph is split
 * again.
 */
import { padded } from '../core/padded.ts'
import { uuid5 } from '../core/uuid5.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'

interface Split {
  readonly entity_id: string
  readonly part_id: string
  readonly part_key: string
  readonly event_id: string
  readonly agent_id: string
  readonly message_id: string
  readonly span_start: number
}

export async function applySplits(tx: WriteTx, entities: readonly string[]): Promise<void> {
  if (entities.length === 0 || (await anySplit(tx.db, {})).length === 0) return
  for (let from = 0; from < entities.length; from += 256) {
    const places = await tx.db
      .selectFrom('graph_splits')
      .selectAll()
      .where('entity_id', 'in', padded(entities.slice(from, from + 256)))
      .orderBy('part_id')
      .orderBy('message_id')
      .orderBy('span_start')
      .execute()
    for (const place of places) await movePlace(tx, place)
  }
}

const anySplit = compiledOnce((db, _: object) => db.selectFrom('graph_splits').select('event_id').limit(1))

async function movePlace(tx: WriteTx, place: Split): Promise<void> {
  const { entity_id: entity, part_id: part, message_id: message, span_start: start } = place
  const at = tx.db
    .selectFrom('relationships')
    .select(['id', 'subject_id', 'object_id'])
    .where('message_id', '=', message)
    .where('span_start', '=', start)
    .where((eb) => eb.or([eb('subject_id', '=', entity), eb('object_id', '=', entity)]))
  const rows = await at.execute()
  const mentioned = await tx.db
    .selectFrom('episode_entity_mentions')
    .selectAll()
    .where('entity_id', '=', entity)
    .where('message_id', '=', message)
    .execute()
  if (rows.length === 0 && mentioned.length === 0) return
  await putPart(tx, place)
  for (const { id, subject_id, object_id } of rows)
    await tx.db
      .updateTable('relationships')
      .set({ subject_id: subject_id === entity ? part : subject_id, object_id: object_id === entity ? part : object_id })
      .where('id', '=', id)
      .execute()
  const left = await tx.db
    .selectFrom('relationships')
    .select('id')
    .where('message_id', '=', message)
    .where((eb) => eb.or([eb('subject_id', '=', entity), eb('object_id', '=', entity)]))
    .limit(1)
    .executeTakeFirst()
  for (const row of mentioned) {
    await tx.db
      .insertInto('episode_entity_mentions')
      .values({ ...row, entity_id: part })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    // The message is about the whole too.
    if (left !== undefined) continue
    await tx.db
      .deleteFrom('episode_entity_mentions')
      .where('entity_id', '=', entity)
      .where('message_id', '=', message)
      .where('episode_id', '=', row.episode_id)
      .execute()
  }
}

/** One alias per message about the part: the part disappears with the last one. */
async function putPart(tx: WriteTx, { entity_id, part_id, part_key, event_id, agent_id, message_id }: Split): Promise<void> {
  const whole = await tx.db.selectFrom('entities').select(['type', 'name']).where('id', '=', entity_id).executeTakeFirst()
  if (whole === undefined) return
  await tx.db
    .insertInto('entities')
    .values({ id: part_id, agent_id, type: whole.type, name: whole.name, key: part_key, created_at: 0, updated_at: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const names = await tx.db
    .selectFrom('entity_aliases')
    .selectAll()
    .where('entity_id', '=', entity_id)
    .where('alias_type', '=', 'name')
    .where('given_by', '<>', 'owner')
    .orderBy('rank')
    .orderBy('id')
    .limit(1)
    .execute()
  for (const name of names) {
    const run_id = `${event_id}/${message_id}`
    await tx.db
      .insertInto('entity_aliases')
      .values({
        ...name,
        id: uuid5('alias', part_id, 'name', name.normalized, run_id),
        entity_id: part_id,
        run_id,
        message_id,
        span_start: null,
        span_end: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

export async function undoSplit(
  tx: WriteTx,
  part: string,
  places: readonly Pick<Split, 'entity_id' | 'message_id' | 'span_start'>[],
): Promise<void> {
  for (const { entity_id: whole, message_id, span_start } of places) {
    const at = <T extends 'subject_id' | 'object_id'>(side: T) =>
      tx.db
        .updateTable('relationships')
        .set({ [side]: whole })
        .where(side as 'subject_id', '=', part)
        .where('message_id', '=', message_id)
        .where('span_start', '=', span_start)
    await at('subject_id').execute()
    await at('object_id').execute()
    const mentioned = await tx.db
      .selectFrom('episode_entity_mentions')
      .selectAll()
      .where('entity_id', '=', part)
      .where('message_id', '=', message_id)
      .execute()
    for (const row of mentioned)
      await tx.db
        .insertInto('episode_entity_mentions')
        .values({ ...row, entity_id: whole })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  }
  await tx.db.deleteFrom('entities').where('id', '=', part).execute()
}
