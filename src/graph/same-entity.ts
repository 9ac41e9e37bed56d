/** Entities that were merged are one to every reader: rows keep the id under which they were written, and `canonical_id` names the one that stands for them all. */
import type { Selectable } from 'kysely'
import type { Store, WriteTx } from '../store/store.ts'
import type { EntitiesTable } from '../store/tables.ts'

export type EntityRow = Pick<Selectable<EntitiesTable>, 'id' | 'agent_id' | 'type' | 'name' | 'canonical_id' | 'key'>

export const ENTITY_COLUMNS = ['id', 'agent_id', 'type', 'name', 'canonical_id', 'key'] as const

/** Ids of one query. */
const AT_ONCE = 400

/** The entity that each of these is now. */
export async function canonicalOf({ read }: Pick<Store, 'read'>, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map(ids.map((id) => [id, id]))
  const all = [...found.keys()]
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const rows = await read
      .selectFrom('entities')
      .select(['id', 'canonical_id'])
      .where('id', 'in', all.slice(from, from + AT_ONCE))
      .where('canonical_id', 'is not', null)
      .execute()
    for (const { id, canonical_id } of rows) found.set(id, canonical_id ?? id)
  }
  return found
}

/** The ids of an entity and of all that were merged into it: whose rows are to be read together. */
export async function mergedInto({ read }: Pick<Store, 'read'>, id: string): Promise<string[]> {
  return (await groupOf({ db: read }, id)).map((row) => row.id)
}

/** It, and all that it stands for. */
export async function groupOf({ db }: Pick<WriteTx, 'db'>, canonical: string): Promise<EntityRow[]> {
  return db
    .selectFrom('entities')
    .select(ENTITY_COLUMNS)
    .where((eb) => eb.or([eb('id', '=', canonical), eb('canonical_id', '=', canonical)]))
    .orderBy('id')
    .execute()
}
