/** Replaces the rows of a run. Unchanged rows stay, because other rows refer to them. */
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import type { AliasRow } from './alias-rows.ts'
import { writtenKey } from './entity-key.ts'
import type { ExtractedFrom, KnownEntity } from './extracted-from.ts'
import type { MentionRow } from './mention-rows.ts'
import type { ObservationRow } from './observation-rows.ts'

type NewEntity = { id: string; agent_id: string; type: string; name: string; key: string }

/** Triggers set name, trust and times from its aliases. */
export async function putEntities(
  tx: WriteTx,
  entities: readonly KnownEntity[],
  { agentId }: Pick<ExtractedFrom, 'agentId'>,
): Promise<void> {
  for (const { id, type, name, key } of entities) await insertEntity(tx.db, { id, agent_id: agentId, type, name, key: writtenKey(key) })
}

const insertEntity = compiledOnce((db, { id, agent_id, type, name, key }: NewEntity) =>
  db
    .insertInto('entities')
    .values({ id, agent_id, type, name, key, created_at: 0, updated_at: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing()),
)

/** Inserts before deleting: a trigger deletes an entity with its last alias. */
export async function replaceAliases(tx: WriteTx, run: string, rows: readonly AliasRow[]): Promise<void> {
  const stored = await aliasesOf(tx.db, { run })
  const before = new Map(stored.map((row) => [row.id, row]))
  for (const row of rows) {
    const is = before.get(row.id)
    before.delete(row.id)
    if (is === undefined) await tx.db.insertInto('entity_aliases').values(row).execute()
    else if (differs(row, is)) await tx.db.updateTable('entity_aliases').set(row).where('id', '=', row.id).execute()
  }
  for (const id of before.keys()) await tx.db.deleteFrom('entity_aliases').where('id', '=', id).execute()
}

export async function replaceMentions(tx: WriteTx, run: string, rows: readonly MentionRow[]): Promise<void> {
  const keyOf = (row: Pick<MentionRow, 'episode_id' | 'entity_id' | 'message_id'>) =>
    `${row.episode_id}\n${row.entity_id}\n${row.message_id}`
  const stored = await mentionsOf(tx.db, { run })
  const before = new Map(stored.map((row) => [keyOf(row), row]))
  const of = ({ episode_id, entity_id, message_id }: MentionRow) => ({ episode_id, entity_id, message_id, run_id: run })
  for (const row of rows) {
    const is = before.get(keyOf(row))
    before.delete(keyOf(row))
    if (is === undefined) await tx.db.insertInto('episode_entity_mentions').values(row).execute()
    else if (differs(row, is))
      await tx.db
        .updateTable('episode_entity_mentions')
        .set(row)
        .where((eb) => eb.and(of(row)))
        .execute()
  }
  for (const row of before.values())
    await tx.db
      .deleteFrom('episode_entity_mentions')
      .where((eb) => eb.and(of(row)))
      .execute()
}

/** Keeps the first `recorded_at`. */
export async function replaceObservations(tx: WriteTx, { runId, episode }: ExtractedFrom, rows: readonly ObservationRow[]): Promise<void> {
  const stored = await observationsOf(tx.db, { run: runId })
  const before = new Map(stored.map((row) => [row.id, row]))
  for (const row of rows) {
    const { recorded_at: _, ...said } = row
    const is = before.get(row.id)
    before.delete(row.id)
    if (is === undefined) await tx.db.insertInto('relationships').values(row).execute()
    else if (differs(said, is)) await tx.db.updateTable('relationships').set(said).where('id', '=', row.id).execute()
    const { agent_id, message_id } = row
    await tx.db
      .insertInto('episode_relationship_mentions')
      .values({ episode_id: episode.id, relationship_id: row.id, message_id, ...(agent_id === undefined ? {} : { agent_id }) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  for (const id of before.keys()) await tx.db.deleteFrom('relationships').where('id', '=', id).execute()
}

const aliasesOf = compiledOnce((db, { run }: { run: string }) => db.selectFrom('entity_aliases').selectAll().where('run_id', '=', run))
const mentionsOf = compiledOnce((db, { run }: { run: string }) =>
  db.selectFrom('episode_entity_mentions').selectAll().where('run_id', '=', run),
)
const observationsOf = compiledOnce((db, { run }: { run: string }) => db.selectFrom('relationships').selectAll().where('run_id', '=', run))

function differs(row: object, stored: object): boolean {
  return Object.entries(row).some(([column, value]) => value !== (stored as Readonly<Record<string, unknown>>)[column])
}
