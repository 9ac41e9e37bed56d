/** The person of the graph that a handle names. */
import type { Kysely } from 'kysely'
import { REACHED_BY } from '../../graph/reached-by.ts'
import { compiledOnce } from '../../store/compiled-once.ts'
import type { Tables } from '../../store/tables.ts'

/** By handle; a merged person is the one that it was merged into. A handle that several have names nobody. */
export async function entitiesOfHandles(db: Kysely<Tables>, agentId: string, handles: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const handle of new Set(handles)) {
    const holders = await holdersOf(db, agentId, handle)
    const [only] = holders
    if (only !== undefined && holders.size === 1) found.set(handle, only)
  }
  return found
}

/** From one entity to the next: somebody who writes every day has as many aliases of one address as there are letters. */
async function holdersOf(db: Kysely<Tables>, agentId: string, handle: string): Promise<Set<string>> {
  const holders = new Set<string>()
  for (const type of REACHED_BY) {
    for (let after = ''; ; ) {
      const [next] = await nextHolder(db, { agentId, type, handle, after })
      if (next === undefined) break
      holders.add(next.entity)
      after = next.entity_id
    }
  }
  return holders
}

const nextHolder = compiledOnce((db, { agentId, type, handle, after }: Record<'agentId' | 'type' | 'handle' | 'after', string>) =>
  db
    .selectFrom('entity_aliases as a')
    .innerJoin('entities as e', 'e.id', 'a.entity_id')
    .select((eb) => ['a.entity_id', eb.fn.coalesce('e.canonical_id', 'e.id').as('entity')])
    .where('a.alias_type', '=', type)
    .where('a.normalized', '=', handle)
    .where('a.agent_id', '=', agentId)
    .where('a.entity_id', '>', after)
    // What a text claims of an address makes it nobody's else.
    .where('a.given_by', '<>', 'text')
    .orderBy('a.entity_id')
    .limit(1),
)
