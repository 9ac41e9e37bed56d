/** Resolves merged entities: rows keep their original id, and `canonical_id` names the entity that stands for all. */
import type { Selectable } from 'kysely'
import type { Store, WriteTx } from '../store/store.ts'
import type { EntitiesTable } from '../store/tables.ts'

export type EntityRow = Pick<Selectable<EntitiesTable>, 'id' | 'agent_id' | 'type' | 'name' | 'canonical_id' | 'key'>

export const ENTITY_COLUMNS = ['id', 'agent_id', 'type', 'name', 'canonical_id', 'key'] as const

const AT_ONCE = 400

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

export async function mergedInto({ read }: Pick<Store, 'read'>, id: string): Promise<string[]> {
  return (await groupOf({ db: read }, id)).map((row) => row.id)
}

export async function groupOf({ db }: Pick<WriteTx, 'db'>, canonical: string): Promise<EntityRow[]> {
  return db
    .selectFrom('entities')
    .select(ENTITY_COLUMNS)
    .where((eb) => eb.or([eb('id', '=', canonical), eb('canonical_id', '=', canonical)]))
    .orderBy('id')
    .execute()
}
