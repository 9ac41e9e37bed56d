/** What `--entity NAME` lets pass: the episodes that name it and, of a person, what they sent and received. As conditions for each list. */
import type { Kysely } from 'kysely'
import type { EntityFilter } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import { entityCalled } from './find-entity.ts'
import { mergedInto } from './same-entity.ts'

const REACHED_BY = ['email', 'phone', 'handle', 'username']

/** Throws USAGE for a name that nothing has, AMBIGUOUS_ID for one that several have. */
export async function entityScope(store: Store, name: string, agentId: string): Promise<EntityFilter> {
  return scopeOfEntity(store, (await entityCalled(store, name, { agentId })).entity_id)
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

/** Ids of messages, of either ledger, that name it. */
export function messagesNaming(db: Db, { ids }: EntityFilter) {
  return db.selectFrom('episode_entity_mentions').select('message_id').where('entity_id', 'in', ids)
}

export function episodeIdsNaming(db: Db, { ids }: EntityFilter) {
  return db.selectFrom('episode_entity_mentions').select('episode_id').where('entity_id', 'in', ids)
}

/** Ids of events: of episodes that name it, and of what a person sent or received. */
export function eventIdsNaming(db: Db, scope: EntityFilter) {
  const named = db.selectFrom('episode_members').select('event_id').where('episode_id', 'in', episodeIdsNaming(db, scope))
  if (scope.handles.length === 0) return named
  return named.union(db.selectFrom('event_people').select('event_id').where('handle', 'in', scope.handles))
}

/** Ids of sessions in which something names it. */
export function sessionIdsNaming(db: Db, scope: EntityFilter) {
  return db.selectFrom('agent_messages').select('session_id').where('id', 'in', messagesNaming(db, scope))
}
