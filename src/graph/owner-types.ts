import type { WriteTx } from '../store/store.ts'

export async function putOwnerTypes(tx: WriteTx, entities: readonly string[]): Promise<void> {
  for (let from = 0; from < entities.length; from += 256) {
    const said = await tx.db
      .selectFrom('graph_types as t')
      .innerJoin('entities as e', 'e.id', 't.entity_id')
      .select(['t.entity_id', 't.type'])
      .where('t.entity_id', 'in', entities.slice(from, from + 256))
      .whereRef('t.type', '<>', 'e.type')
      .execute()
    for (const { entity_id, type } of said) await tx.db.updateTable('entities').set({ type }).where('id', '=', entity_id).execute()
  }
}
