/** Adds aliases that the owner gave. Every settle repeats this, so that a re-created entity gets them back. */
import { uuid5 } from '../core/uuid5.ts'
import type { WriteTx } from '../store/store.ts'
import { aliasRank } from './alias-rows.ts'

export const OWNER_RUN = 'owner'

export async function putOwnerAliases(tx: WriteTx, entities: readonly string[]): Promise<void> {
  for (const entity_id of entities) {
    const given = await tx.db.selectFrom('graph_owner_aliases').selectAll().where('entity_id', '=', entity_id).execute()
    const rows = given.map(({ agent_id, alias_type, value, normalized, decided_at: created_at, event_id }) => ({
      id: uuid5('alias', entity_id, alias_type, normalized, OWNER_RUN),
      ...{ agent_id, entity_id, alias_type, value, normalized, given_by: 'owner' as const, source_type: 'owner', run_id: OWNER_RUN },
      ...{ message_id: event_id, trust: 'owner', created_at },
      rank: aliasRank({ type: alias_type, normalized, given_by: 'owner', trust: 'owner', createdAt: created_at, value }),
    }))
    const ids = rows.map(({ id }) => id)
    const old = tx.db.deleteFrom('entity_aliases').where('entity_id', '=', entity_id).where('run_id', '=', OWNER_RUN)
    await (ids.length === 0 ? old : old.where('id', 'not in', ids)).execute()
    for (const row of rows)
      await tx.db
        .insertInto('entity_aliases')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
  }
}
