/**
 * Owner decisions show entity names, which come from messages. If the entity is gone, the decision keeps only its id. It applies again if
 * the entity returns.
 */
import { compiledOnce } from '../../store/compiled-once.ts'
import type { WriteTx } from '../../store/store.ts'

const UNNAMED: Readonly<Record<string, string>> = {
  entity_merge: 'Two entities are one',
  entity_unmerge: 'Two entities are not one after all',
  entity_reject: 'Two entities are not one',
  entity_alias: 'An entity has another name',
  entity_alias_removed: 'An entity has a name less',
  entity_retype: 'An entity is of another type',
  entity_split: 'An entity is two',
  entity_split_undone: 'An entity is one after all',
}
const ABOUT = ['a', 'b', 'entity'] as const

export async function unnameOwnerEvents(tx: WriteTx): Promise<void> {
  for (const { id, content, metadata_json } of await owned(tx.db, {})) {
    const facts = JSON.parse(metadata_json ?? '{}') as Record<string, unknown>
    const plain = UNNAMED[String(facts.type)]
    if (plain === undefined || plain === content) continue
    const about = ABOUT.flatMap((key) => (typeof facts[key] === 'string' ? [facts[key]] : []))
    const there = await tx.db.selectFrom('entities').select('id').where('id', 'in', about).execute()
    if (there.length < about.length) await tx.db.updateTable('events').set({ content: plain }).where('id', '=', id).execute()
  }
}

const owned = compiledOnce((db, _: object) =>
  db.selectFrom('events').select(['id', 'content', 'metadata_json']).where('source_adapter', '=', 'owner'),
)
