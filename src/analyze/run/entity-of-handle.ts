/** The person of the graph that a handle names. */
import type { Kysely } from 'kysely'
import { padded } from '../../core/padded.ts'
import type { Tables } from '../../store/tables.ts'

/** By handle; a merged person is the one that it was merged into. A handle that several have names nobody. */
export async function entitiesOfHandles(db: Kysely<Tables>, agentId: string, handles: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string | undefined>()
  if (handles.length === 0) return new Map()
  const rows = await db
    .selectFrom('entity_aliases as a')
    .innerJoin('entities as e', 'e.id', 'a.entity_id')
    .select((eb) => ['a.normalized', eb.fn.coalesce('e.canonical_id', 'e.id').as('entity')])
    .where('a.agent_id', '=', agentId)
    .where('a.alias_type', 'in', ['email', 'phone', 'handle', 'username'])
    // What a text claims of an address makes it nobody's else.
    .where('a.given_by', '<>', 'text')
    .where('a.normalized', 'in', padded([...new Set(handles)]))
    .execute()
  for (const { normalized, entity } of rows)
    found.set(normalized, found.has(normalized) && found.get(normalized) !== entity ? undefined : entity)
  return new Map([...found].flatMap(([handle, entity]) => (entity === undefined ? [] : [[handle, entity] as const])))
}
