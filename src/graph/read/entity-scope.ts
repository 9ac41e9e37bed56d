/** Conditions for `--entity NAME`: episodes that name it; for a person also mail and messages sent and received. */
import type { Kysely } from 'kysely'
import { unknownValue } from '../../core/unknown-value.ts'
import type { EntityFilter } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import { entityCalled, type FoundEntity, findEntities } from '../find-entity.ts'
import { REACHED_BY } from '../reached-by.ts'
import { mergedInto } from '../same-entity.ts'

/** Throws USAGE for an unknown name, AMBIGUOUS_ID for an ambiguous one. */
export async function entityScope(store: Store, name: string, agentId: string): Promise<EntityFilter> {
  const db = { db: store.read }
  const found = await findEntities(db, name, { agentId })
  if (found.every(({ by }) => by === 'near')) throw await unknownEntity(store, name, agentId, found)
  return scopeOfEntity(store, (await entityCalled(db, name, { agentId })).entity_id)
}

async function unknownEntity({ read }: Store, name: string, agentId: string, near: readonly FoundEntity[]) {
  const all = read.selectFrom('entities').select('name').where('canonical_id', 'is', null)
  const known = await (agentId === 'all' ? all : all.where('agent_id', '=', agentId)).orderBy('updated_at', 'desc').limit(1000).execute()
  return unknownValue({
    ...{ filter: 'entity', said: 'nobody and nothing is called', values: [name] },
    known: [...near, ...known].map((one) => one.name),
    none: 'Nothing was extracted yet: mnemonic sync.',
  })
}

export async function scopeOfEntity(store: Store, id: string): Promise<EntityFilter> {
  const ids = await mergedInto(store, id)
  const entity = await store.read.selectFrom('entities').select('type').where('id', '=', id).executeTakeFirst()
  if (entity?.type !== 'person') return { ids, handles: [] }
  const rows = await store.read
    .selectFrom('entity_aliases')
    .select('normalized')
    .distinct()
    .where('entity_id', 'in', ids)
    .where('alias_type', 'in', REACHED_BY)
    .execute()
  return { ids, handles: rows.map(({ normalized }) => normalized) }
}

type Db = Pick<Kysely<Tables>, 'selectFrom'>

export function messagesNaming(db: Db, { ids }: EntityFilter) {
  return db.selectFrom('episode_entity_mentions').select('message_id').where('entity_id', 'in', ids)
}

export function episodeIdsNaming(db: Db, { ids }: EntityFilter) {
  return db.selectFrom('episode_entity_mentions').select('episode_id').where('entity_id', 'in', ids)
}

export function eventIdsNaming(db: Db, scope: EntityFilter) {
  const named = db.selectFrom('episode_members').select('event_id').where('episode_id', 'in', episodeIdsNaming(db, scope))
  if (scope.handles.length === 0) return named
  return named.union(db.selectFrom('event_people').select('event_id').where('handle', 'in', scope.handles))
}

export function sessionIdsNaming(db: Db, scope: EntityFilter) {
  return db.selectFrom('agent_messages').select('session_id').where('id', 'in', messagesNaming(db, scope))
}
