/** Which entity a handle stands for now, after all merges. */
import type { CountryCode } from 'libphonenumber-js/min'
import type { WriteTx } from '../store/store.ts'
import { type EntityKey, entityId, identifierKey, OWNER_KEY, type OwnerKnown } from './entity-key.ts'
import { normalAlias } from './normal-alias.ts'

/** Undefined where nobody of that handle was written. `channel`: of the episode in which the handle stands. */
export async function personOfHandle(
  { db }: Pick<WriteTx, 'db'>,
  {
    agentId,
    handle,
    ...of
  }: {
    readonly agentId: string
    readonly handle: string
    readonly channel: string | null
    readonly owner?: OwnerKnown | undefined
    readonly country?: CountryCode | undefined
  },
): Promise<string | undefined> {
  const id = entityId(agentId, 'person', handleKey(handle, of))
  const row = await db.selectFrom('entities').select(['id', 'canonical_id']).where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : (row.canonical_id ?? row.id)
}

function handleKey(
  handle: string,
  {
    channel,
    owner,
    country,
  }: { readonly channel: string | null; readonly owner?: OwnerKnown | undefined; readonly country?: CountryCode | undefined },
): EntityKey {
  const { type, normalized } = normalAlias({ type: 'handle', value: handle }, { entityType: 'person', country })
  return owner?.handles.has(normalized) ? OWNER_KEY : identifierKey(type, normalized, channel ?? '')
}
